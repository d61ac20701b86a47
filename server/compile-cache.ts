import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// A start reads what the start before it compiled: the first import of an entry, which imports all else afterwards. In our own folder,
// which no other user of the machine can write to. Where it cannot be written, each start compiles as before.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'))
