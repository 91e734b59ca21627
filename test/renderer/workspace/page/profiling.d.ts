/** The types of React leave out this part of its package. */
declare module 'react-dom/profiling' {
  export { createRoot } from 'react-dom/client'
}
