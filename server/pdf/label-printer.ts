import { createThread } from '../threads/thread.ts'
import type { LabelsDocument } from './labels.ts'

/** The most labels need a third of this. */
const megabytes = 512
const timeoutMs = 60_000

const thread = createThread<LabelsDocument, Uint8Array>(new URL('./labels-thread.ts', import.meta.url), {
  megabytes,
  timeoutMs,
})

/** Labels as the bytes of a PDF, drawn in a thread of its own: some hundred QR codes take seconds. */
export const printedLabels = async (document: LabelsDocument): Promise<Buffer> =>
  Buffer.from(await thread.run(document))
