// zod would generate source code for checks. The pages' policy forbids that, and the browser reports even an attempt. This is
// the place of zod's configuration, which it reads when a later screen loads it; the first screen does without zod.
const place = '__zod_globalConfig'
// Cast: zod keeps its settings in a global of this name.
const shared = globalThis as unknown as Record<typeof place, object | undefined>
shared[place] = Object.assign(shared[place] ?? {}, { jitless: true })
