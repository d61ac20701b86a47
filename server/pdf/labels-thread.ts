// The thread that draws labels. Each message is a document; the answer is its bytes.
import { parentPort } from 'node:worker_threads'
import { type LabelsDocument, labelsPdf } from './labels.ts'

parentPort?.on('message', async (document: LabelsDocument) => {
  parentPort?.postMessage(new Uint8Array(await labelsPdf(document)))
})
