import { type FileFacts, type FileRule, fileFault } from '#contract/frame/file-rules.ts'
import { enoughBytes, factsOf } from '#domain/frame/file-kind.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { refuseFault } from '#server/http/refuse.ts'
import { blobOfUpdate, type Upload } from '#server/http/upload.ts'

async function beginningOf(blobs: Blobs, { id, bytes }: Upload): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  for await (const piece of blobs.part(blobOfUpdate(id), 0, Math.min(bytes, enoughBytes) - 1))
    pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** The facts of an upload by its content, whatever its name. Throws ValidationFailed for the first rule that it breaks. */
export async function checkedUpload(
  blobs: Blobs,
  upload: Upload,
  ruleOf: (facts: FileFacts) => FileRule,
): Promise<FileFacts> {
  const facts = factsOf(await beginningOf(blobs, upload), upload.bytes)
  const fault = fileFault(ruleOf(facts), facts)
  return fault ? refuseFault('file', fault) : facts
}

/** Keeps an upload under a key of its own. */
export async function keepUpload(blobs: Blobs, { id }: Upload, key: string): Promise<void> {
  const blob = await blobs.get(blobOfUpdate(id))
  if (!blob) throw new Error('The upload is missing.')
  await blobs.put(key, blob.content)
  await blobs.remove(blobOfUpdate(id))
}
