import { run } from '#server/run.ts'
import { prepareDemo } from './prepare.ts'

await run({ prepareDemo })
