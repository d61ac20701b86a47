import { config } from 'zod'

// zod would write checks as source code. The pages' policy forbids that, and a mere try is a violation that the browser reports.
config({ jitless: true })
