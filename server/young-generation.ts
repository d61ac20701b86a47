import { setFlagsFromString } from 'node:v8'

/**
 * The objects of a message are garbage a moment after its commit, and the next collection of the young generation (2 ms)
 * should free them. V8's pretenuring prevents that: if it samples while the database is slow, it allocates such objects in
 * the old generation from then on. Everything they reference then stays until a full collection, which delays
 * acknowledgements by a tenth of a second. Measured with ten thousand messages a second: 2.5 MB kept per collection with
 * pretenuring, 0.01 MB without, and a sixth less processor time.
 */
setFlagsFromString('--no-allocation-site-pretenuring')
