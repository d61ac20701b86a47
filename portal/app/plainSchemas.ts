// zod would generate source code for checks. The pages' policy forbids that, and the browser reports even an attempt. This is
// the place of zod's configuration, which it reads when a later screen loads it; the first screen does without zod.
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
