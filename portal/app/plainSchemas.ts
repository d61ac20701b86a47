// zod would generate source code for checks. The pages' policy forbids that, and the browser reports even an attempt. This is
// zod's own configuration, which it reads when a later screen loads it; the first screen does without zod.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
