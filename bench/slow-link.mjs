// A port that passes everything on to another one with a delay each way and a limited rate, as a network does; it prints its
// own number: node slow-link.mjs DELAY_MS MBIT PORT
import { connect, createServer } from 'node:net'

const [delay, rate, port] = process.argv.slice(2).map(Number)
const bytesPerMs = (rate * 1_000_000) / 8 / 1000
/** What is queued before the sender has to wait, ms. */
const QUEUE_MS = 200

function pass(from, to) {
  let free = 0
  from.on('data', (chunk) => {
    const now = performance.now()
    free = Math.max(free, now) + chunk.length / bytesPerMs
    if (free - now > QUEUE_MS) {
      from.pause()
      setTimeout(() => from.resume(), QUEUE_MS / 2)
    }
    setTimeout(() => to.write(chunk), free - now + delay)
  })
  from.on('end', () => setTimeout(() => to.end(), delay))
  from.on('error', () => to.destroy())
}

const server = createServer((near) => {
  const far = connect(port, '127.0.0.1')
  pass(near, far)
  pass(far, near)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
