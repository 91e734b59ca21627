#!/usr/bin/python3
"""A disk for tests: shows the folder KEPT at MOUNT through FUSE, with the names, times and faults of another system's disk.

    scripted-disk.py KEPT MOUNT SETTINGS        as root; Debian: apt-get install python3-fusepy fuse3 libfuse2

SETTINGS is an object of JSON; scripted-disk.ts describes its keys and holds the profiles of known systems. A line on stdin
replaces them and is answered by a line on stdout; the first line says that the disk is mounted. It is unmounted when stdin ends.
"""
import errno
import fnmatch
import json
import os
import random
import stat
import subprocess
import sys
import threading
import time
import unicodedata

import fusepy as fuse

DEVICE_NAMES = {'con', 'prn', 'aux', 'nul'} | {f'{port}{n}' for port in ('com', 'lpt') for n in range(1, 10)}
NOT_ON_WINDOWS = set('<>:"|?*\\') | {chr(code) for code in range(32)}
NO_FOLDER_TIME_NS = 315_532_800 * 10**9


def refuse(name):
    raise fuse.FuseOSError(getattr(errno, name))


def answer(what):
    print(json.dumps(what), flush=True)


class Names:
    """Which names are one on this disk, how it spells a new one, and which it does not take."""

    def __init__(self, settings):
        self.case, self.form = settings.get('foldsCase', False), settings.get('foldsForm', False)
        self.stores, self.windows = settings.get('storesForm'), settings.get('windowsNames', False)
        self.longest = settings.get('longestName', 0)

    def key(self, name):
        if self.windows:
            name = name.rstrip('. ') or name
        if self.form:
            name = unicodedata.normalize('NFD', name)
        if self.case:
            name = name.upper().lower()
        return name

    def find(self, folder, name):
        """The spelling that the folder lists; None = absent."""
        if os.path.lexists(os.path.join(folder, name)):
            return name
        if not (self.case or self.form or self.stores or self.windows):
            return None
        try:
            return next((listed for listed in os.listdir(folder) if self.key(listed) == self.key(name)), None)
        except OSError:
            return None

    def spell(self, name):
        if self.windows:
            name = name.rstrip('. ')
            if name == '' or NOT_ON_WINDOWS & set(name) or name.split('.')[0].rstrip().lower() in DEVICE_NAMES:
                refuse('EINVAL')
        if self.stores:
            name = unicodedata.normalize(self.stores, name)
        if self.longest and len(name.encode()) > self.longest:
            refuse('ENAMETOOLONG')
        return name


class InUse:
    """Files that another program has open for a moment after they were written."""

    def __init__(self):
        self.until, self.mutex = {}, threading.Lock()

    def written(self, place, settings):
        rule = settings.get('inUse')
        if not rule or not fnmatch.fnmatchcase(os.path.basename(place), rule.get('name', '*')):
            return
        least, most = rule['ms']
        with self.mutex:
            self.until[place] = time.monotonic() + random.uniform(least, most) / 1000

    def require_free(self, place, settings, below=False):
        rule = settings.get('inUse')
        if not rule:
            return
        now = time.monotonic()
        with self.mutex:
            self.until = {held: until for held, until in self.until.items() if until > now}
            if any(held == place or (below and held.startswith(place + '/')) for held in self.until):
                refuse(rule.get('errno', 'EBUSY'))

    def moved(self, old, new):
        with self.mutex:
            self.until = {
                new + held[len(old):] if held == old or held.startswith(old + '/') else held: until
                for held, until in self.until.items()
            }


class Faults:
    """Calls that fail, wait, or write only half: the `nth` and following ones that match, at most `times`."""

    def __init__(self, faults):
        self.faults, self.mutex = [dict(fault, met=0, done=0) for fault in faults], threading.Lock()
        self.replaced = threading.Event()

    def meet(self, call, paths):
        """True when a write is to store half of its bytes."""
        half = False
        for fault in self.faults:
            if call not in fault['calls'] and '*' not in fault['calls']:
                continue
            if not any(fnmatch.fnmatchcase(path, fault.get('path', '*')) for path in paths):
                continue
            with self.mutex:
                fault['met'] += 1
                if fault['met'] < fault.get('nth', 1) or fault['done'] >= fault.get('times', sys.maxsize):
                    continue
                fault['done'] += 1
            time.sleep(fault.get('waitMs', 0) / 1000)
            if fault.get('hangs'):
                self.replaced.wait()
            if 'errno' in fault:
                refuse(fault['errno'])
            half = half or fault.get('half', False)
        return half


class Disk(fuse.Operations):
    use_ns = True

    def __init__(self, kept, settings):
        self.kept = os.path.realpath(kept)
        self.in_use, self.open_files, self.mutex = InUse(), {}, threading.Lock()
        self.faults = Faults([])
        self.apply(settings)
        self.inode_salt = random.getrandbits(40) if settings.get('freshInodes') else 0

    def apply(self, settings):
        replaced = self.faults
        self.settings, self.names, self.faults = settings, Names(settings), Faults(settings.get('faults', []))
        replaced.replaced.set()

    def init(self, path):
        answer('mounted')

    def __call__(self, call, *args):
        named = args[:2] if call in ('rename', 'link') else args[:1]
        if self.faults.meet(call, [str(path).lstrip('/') for path in named]) and call == 'write':
            path, data, *rest = args
            return self.write(path, data[: max(1, len(data) // 2)], *rest)
        return super().__call__(call, *args)

    # Where a path lies

    def place(self, path, new=False):
        """The path in KEPT. `new`: its last name may be absent."""
        at, parts = self.kept, [part for part in path.split('/') if part]
        for n, part in enumerate(parts):
            name = self.names.find(at, part)
            if name is None:
                if not new or n < len(parts) - 1:
                    refuse('ENOENT')
                name = self.names.spell(part)
            at = f'{at}/{name}'
        return at

    # What is there

    def getattr(self, path, handle=None):
        found, settings = os.fstat(handle) if handle else os.lstat(self.place(path)), self.settings
        mtime, ctime, mode = found.st_mtime_ns, found.st_ctime_ns, found.st_mode
        mtime -= mtime % (settings.get('timeStepMs', 0) * 10**6 or 1)
        if stat.S_ISDIR(mode) and settings.get('noFolderTimes'):
            mtime = NO_FOLDER_TIME_NS
        if settings.get('noChangeTime'):
            ctime = mtime
        if settings.get('noModes') and not stat.S_ISLNK(mode):
            read_only = settings.get('readOnlyFiles') and not mode & 0o200
            bits = 0o777 if stat.S_ISDIR(mode) else 0o444 if read_only else 0o666
            mode = stat.S_IFMT(mode) | bits
        shown = {key: getattr(found, key) for key in ('st_nlink', 'st_uid', 'st_gid', 'st_size', 'st_blocks')}
        times = {'st_mtime': mtime, 'st_ctime': ctime, 'st_atime': found.st_atime_ns}
        inode = found.st_ino ^ self.inode_salt
        return {**shown, **times, 'st_mode': mode, 'st_ino': inode | settings.get('inodeReuses', 0) << 48}

    def access(self, path, mode):
        self.place(path)

    def readdir(self, path, handle):
        return ['.', '..', *os.listdir(self.place(path))]

    def readlink(self, path):
        return os.readlink(self.place(path))

    def statfs(self, path):
        found = os.statvfs(self.kept)
        return {key: getattr(found, key) for key in dir(found) if key.startswith('f_') and key != 'f_fsid'}

    # Files

    def create(self, path, mode, info=None):
        return self.opened(self.place(path, new=True), os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode)

    def open(self, path, flags):
        place = self.place(path)
        if flags & (os.O_WRONLY | os.O_RDWR) or (self.settings.get('inUse') or {}).get('reading'):
            self.in_use.require_free(place, self.settings)
        return self.opened(place, flags & ~(os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW))

    def opened(self, place, flags, *mode):
        handle = os.open(place, flags, *mode)
        with self.mutex:
            self.open_files[handle] = (place, bool(flags & (os.O_WRONLY | os.O_RDWR)))
        return handle

    def release(self, path, handle):
        with self.mutex:
            place, wrote = self.open_files.pop(handle)
        os.close(handle)
        if wrote:
            self.in_use.written(place, self.settings)

    def read(self, path, size, offset, handle):
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None):
        if handle:
            return os.ftruncate(handle, length)
        place = self.place(path)
        self.in_use.require_free(place, self.settings)
        os.truncate(place, length)

    def flush(self, path, handle):
        return 0

    def fsync(self, path, data_only, handle):
        os.fsync(handle)

    def fsyncdir(self, path, data_only, handle):
        if self.settings.get('noFolderSync'):
            refuse('EPERM')

    # Names

    def rename(self, old, new):
        source, target = self.place(old), self.place(new, new=True)
        self.in_use.require_free(source, self.settings, below=True)
        if source == target:
            # Another spelling of the same name.
            target = f'{os.path.dirname(target)}/{self.names.spell(os.path.basename(new))}'
        elif os.path.lexists(target):
            self.in_use.require_free(target, self.settings, below=True)
            self.require_writable(target)
        os.rename(source, target)
        self.in_use.moved(source, target)
        with self.mutex:
            for handle, (place, wrote) in self.open_files.items():
                if place == source or place.startswith(source + '/'):
                    self.open_files[handle] = (target + place[len(source):], wrote)

    def unlink(self, path):
        place = self.place(path)
        self.in_use.require_free(place, self.settings)
        self.require_writable(place)
        os.unlink(place)

    def require_writable(self, place):
        found = os.lstat(place)
        if self.settings.get('readOnlyFiles') and stat.S_ISREG(found.st_mode) and not found.st_mode & 0o200:
            refuse('EPERM')

    def mkdir(self, path, mode):
        os.mkdir(self.place(path, new=True), mode)

    def rmdir(self, path):
        place = self.place(path)
        self.in_use.require_free(place, self.settings, below=True)
        os.rmdir(place)

    def symlink(self, path, target):
        if self.settings.get('noLinks'):
            refuse('EPERM')
        os.symlink(target, self.place(path, new=True))

    def link(self, path, source):
        if self.settings.get('noHardLinks'):
            refuse('EPERM')
        os.link(self.place(source), self.place(path, new=True))

    def chmod(self, path, mode):
        if not self.settings.get('noModes') or self.settings.get('readOnlyFiles'):
            os.chmod(self.place(path), mode)

    def chown(self, path, uid, gid):
        os.lchown(self.place(path), uid, gid)

    def utimens(self, path, times=None):
        os.utime(self.place(path), ns=times, follow_symlinks=False)


def obey(disk, mount):
    for line in sys.stdin:
        disk.apply(json.loads(line))
        answer('set')
    # Whoever mounted it is gone, or has unmounted it already.
    subprocess.run(['umount', '-l', mount], stderr=subprocess.DEVNULL, check=False)


def main():
    kept, mount, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    os.umask(0)
    disk = Disk(kept, settings)
    threading.Thread(target=obey, args=(disk, mount), daemon=True).start()
    cached = settings.get('namesCachedSeconds', 0)
    fuse.FUSE(
        disk, mount, foreground=True, nothreads=False, use_ino=True, allow_other=True, fsname='scripted',
        # Not their sizes: for Linux two spellings of a name are two files, and a write to one leaves the other's size.
        entry_timeout=cached, attr_timeout=0, negative_timeout=0,
    )


main()
