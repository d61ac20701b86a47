import { config } from 'zod'

// zod would generate source code for checks. The pages' policy forbids that, and the browser reports even an attempt.
config({ jitless: true })
