// zod would generate source code for checks. The pages' policy forbids that, and the browser reports even an attempt. This is
// the place of zod's configuration, which it reads when a later screen loads it; the first screen does without zod.
const place = '__zod_globalConfig'
const shared: typeof globalThis & { [place]?: object } = globalThis
shared[place] = Object.assign(shared[place] ?? {}, { jitless: true })
