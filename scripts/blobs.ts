// npm run blobs -- --copy --to <address>: copies all files to another folder or bucket and compares their hashes. --from is by default where the
// files of this deployment are. A running Gettone may keep using them; run it again after the change of BLOB_URL. Exit code 1 with a difference.
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '#server/config.ts'
import { type BlobAddress, blobAddressOf, blobAddressRule, defaultFolder } from '#server/files/blob-address.ts'
import { copyBlobs } from '#server/files/copy-blobs.ts'
import { openBlobsAt } from '#server/files/open-blobs.ts'

const usage =
  'Usage: npm run blobs -- --copy --to <address> [--from <address>], an address being s3://bucket/folder?… or file:///folder'

const { from, to } = readOrder()
try {
  const [source, target] = [await openBlobsAt(from), await openBlobsAt(to)]
  const { files, bytes, present, differing } = await copyBlobs(source, target, (key) => console.log(key))
  for (const key of differing) console.log(`${key} differs from its original and was removed.`)
  console.log(
    `${files} files with ${bytes} bytes copied and compared, ${present} were there, ${differing.length} differ.`,
  )
  process.exitCode = differing.length === 0 ? 0 : 1
  source.close()
  target.close()
} catch (error) {
  console.log(error instanceof ConfigError ? error.sentences.join('\n') : String(error))
  process.exitCode = 1
}

function readOrder(): { from: BlobAddress; to: BlobAddress } {
  try {
    const { values } = parseArgs({
      options: { copy: { type: 'boolean', default: false }, from: { type: 'string' }, to: { type: 'string' } },
    })
    if (!values.copy || values.to === undefined) end('Give --copy and --to.')
    const { DATA_DIR = '.data', BLOB_URL } = process.env
    const current = readConfig({ DATA_DIR, BLOB_URL }, { production: false }).BLOB_URL ?? defaultFolder(DATA_DIR)
    return { from: values.from === undefined ? current : addressOf(values.from), to: addressOf(values.to) }
  } catch (error) {
    return end((error as Error).message)
  }
}

function addressOf(text: string): BlobAddress {
  return blobAddressOf(text) ?? end(`${text} ${blobAddressRule}.`)
}

function end(sentence: string): never {
  console.log(`${sentence}\n${usage}`)
  process.exit(1)
}
