import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBucket, type TestBucket } from '#testkit/servers/bucket.ts'
import { blobAddressOf } from './blob-address.ts'
import type { Blobs } from './blobs.ts'
import { copyBlobs } from './copy-blobs.ts'
import { folderBlobs } from './folder-blobs.ts'
import { openBlobsAt } from './open-blobs.ts'

const root = mkdtempSync(join(tmpdir(), 'gettone-blobs-'))
let bucket: TestBucket
let inBucket: Blobs
beforeAll(async () => {
  bucket = await openBucket()
  inBucket = await openBlobsAt(bucket.address)
})
afterEach(() => {
  bucket.setAway(false)
  bucket.cutDownloads(0, 0)
})
afterAll(async () => {
  inBucket?.close()
  await bucket?.stop()
  rmSync(root, { recursive: true, force: true })
})

const kinds = { folder: () => folderBlobs(root), bucket: () => inBucket }

const allOf = async (blobs: Blobs, key: string) => {
  const file = await blobs.get(key)
  if (!file) return undefined
  const content = Buffer.concat(await file.content.toArray())
  expect(content.length).toBe(file.size)
  return content
}
const hash = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
/** More than two parts of an upload. */
const large = randomBytes(20 * 1024 * 1024 + 7)
async function* piecesOf(content: Uint8Array, size = 100_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

for (const [kind, blobsOf] of Object.entries(kinds)) {
  test(`a file of a ${kind} has the content that was written, whole and in part, and can be replaced and removed`, async () => {
    const blobs = blobsOf()
    expect(await blobs.put('exports/a.csv', ['Größe;', Buffer.from('1\n'), 'é'], { isDurable: true })).toBe(12)
    expect((await allOf(blobs, 'exports/a.csv'))?.toString()).toBe('Größe;1\né')
    expect(await blobs.size('exports/a.csv')).toBe(12)
    expect(Buffer.concat(await blobs.part('exports/a.csv', 8, 9).toArray()).toString()).toBe('1\n')
    expect(await blobs.put('exports/a.csv', [])).toBe(0)
    expect((await allOf(blobs, 'exports/a.csv'))?.length).toBe(0)
    await blobs.remove('exports/a.csv')
    await blobs.remove('exports/a.csv')
    expect(await blobs.get('exports/a.csv')).toBeUndefined()
    expect(await blobs.size('exports/a.csv')).toBeUndefined()
  })

  test(`a large file in a ${kind} is the same afterwards`, async () => {
    const blobs = blobsOf()
    expect(await blobs.put('updates/large.bin', piecesOf(large))).toBe(large.length)
    expect(hash((await allOf(blobs, 'updates/large.bin')) as Buffer)).toBe(hash(large))
    const part = Buffer.concat(await blobs.part('updates/large.bin', 9_000_000, 17_000_000).toArray())
    expect(hash(part)).toBe(hash(large.subarray(9_000_000, 17_000_001)))
  })

  test(`a file in a ${kind} whose content fails is not there`, async () => {
    const blobs = blobsOf()
    async function* failing() {
      yield large.subarray(0, 12_000_000)
      throw new Error('The rows ended')
    }
    await expect(blobs.put('exports/failing.csv', failing())).rejects.toThrow('The rows ended')
    expect(await blobs.get('exports/failing.csv')).toBeUndefined()
    await expect(blobs.put('updates/large.bin', failing())).rejects.toThrow('The rows ended')
    expect(await blobs.size('updates/large.bin')).toBe(large.length)
  })

  test(`files of a ${kind} are listed by folder and age`, async () => {
    const blobs = blobsOf()
    for (const key of ['swept/a', 'swept/b-1', 'swept/deeper/c', 'swept-not/d']) await blobs.put(key, [key])
    expect((await blobs.older('swept', new Date(Date.now() + 60_000))).toSorted()).toEqual(['swept/a', 'swept/b-1'])
    expect(await blobs.older('swept', new Date(Date.now() - 60_000))).toEqual([])
    expect(await blobs.older('no-such-folder', new Date())).toEqual([])
    const all: { key: string; size: number }[] = []
    for await (const file of blobs.all()) if (file.key.startsWith('swept')) all.push(file)
    expect(all.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'swept-not/d', size: 11 },
      { key: 'swept/a', size: 7 },
      { key: 'swept/b-1', size: 9 },
      { key: 'swept/deeper/c', size: 14 },
    ])
  })

  test.each(['../outside', '/etc/passwd', 'a//b', 'a/../b', '', 'a b', 'a\u0000'])(
    `%j is no key of a ${kind}`,
    async (key) => {
      const blobs = blobsOf()
      await expect(blobs.put(key, ['x'])).rejects.toThrow('is not a blob key')
      await expect(blobs.get(key)).rejects.toThrow('is not a blob key')
    },
  )
}

test('a broken download continues by range', async () => {
  await inBucket.put('updates/broken.bin', piecesOf(large))
  bucket.cutDownloads(1_500_000, 6)
  expect(hash((await allOf(inBucket, 'updates/broken.bin')) as Buffer)).toBe(hash(large))
})

test('a download that breaks while its file is replaced fails, and never mixes two files', async () => {
  await inBucket.put('updates/replaced.bin', piecesOf(large))
  const file = await inBucket.get('updates/replaced.bin')
  const reading = file?.content[Symbol.asyncIterator]()
  await reading?.next()
  await inBucket.put('updates/replaced.bin', piecesOf(large.toReversed()))
  bucket.setAway(true)
  bucket.setAway(false)
  const rest = async () => {
    for (;;) if ((await reading?.next())?.done) return 'whole'
  }
  await expect(rest()).rejects.toThrow('updates/replaced.bin was replaced while it was read')
})

test('while the service is away calls fail, and afterwards they work', async () => {
  await inBucket.put('updates/away.txt', ['here'])
  bucket.setAway(true)
  await expect(inBucket.put('updates/away.txt', ['other'])).rejects.toThrow()
  await expect(inBucket.size('updates/away.txt')).rejects.toThrow()
  bucket.setAway(false)
  expect((await allOf(inBucket, 'updates/away.txt'))?.toString()).toBe('here')
})

test('a bucket that is missing or refuses the key stops the start with a sentence; an unreachable bucket does not', async () => {
  await expect(openBlobsAt({ ...bucket.address, bucket: 'no-such-bucket' })).rejects.toThrow(
    'There is no bucket no-such-bucket at the address in BLOB_URL.',
  )
  const key = process.env.AWS_ACCESS_KEY_ID
  process.env.AWS_ACCESS_KEY_ID = 'wrong'
  try {
    await expect(openBlobsAt(bucket.address)).rejects.toThrow(
      'The credentials are refused for the bucket gettone-files in BLOB_URL.',
    )
  } finally {
    process.env.AWS_ACCESS_KEY_ID = key
  }
  bucket.setAway(true)
  const blobs = await openBlobsAt(bucket.address)
  bucket.setAway(false)
  await blobs.put('updates/later.txt', ['later'])
  blobs.close()
})

test('files move from a folder to a bucket and back with the same content, and a second copy finds them there', async () => {
  const [from, back] = [folderBlobs(join(root, 'from')), folderBlobs(join(root, 'back'))]
  const there = await openBlobsAt({ ...bucket.address, prefix: 'moved/' })
  const files = {
    'updates/1.bin': large.subarray(0, 9_000_000),
    'archive/m/2026-10.gz': large.subarray(1, 900),
    empty: large.subarray(0, 0),
  }
  for (const [key, content] of Object.entries(files)) await from.put(key, [content])
  await from.put('probes/host-1', ['probe'])
  expect(await copyBlobs(from, there)).toEqual({ files: 3, bytes: 9_000_899, present: 0, differing: [] })
  // One was damaged at its new place, one is missing.
  await there.put('archive/m/2026-10.gz', [large.subarray(2, 901)])
  await there.remove('empty')
  expect(await copyBlobs(from, there)).toEqual({ files: 2, bytes: 899, present: 1, differing: [] })
  expect(await copyBlobs(there, back)).toMatchObject({ files: 3, differing: [] })
  for (const [key, content] of Object.entries(files)) expect(await allOf(back, key)).toEqual(Buffer.from(content))
  expect(await back.size('probes/host-1')).toBeUndefined()
  there.close()
})

test('a copy that reads differently is removed and named', async () => {
  const from = folderBlobs(join(root, 'sound'))
  await from.put('updates/1.bin', ['as it was'])
  const faulty = folderBlobs(join(root, 'faulty'))
  const disk: Blobs = { ...faulty, put: (key) => faulty.put(key, ['as it is']) }
  expect(await copyBlobs(from, disk)).toMatchObject({ files: 0, differing: ['updates/1.bin'] })
  expect(await faulty.size('updates/1.bin')).toBeUndefined()
})

test('an address names a bucket or a folder, and nothing else', () => {
  expect(blobAddressOf('s3://files/a/b?region=eu-south-1&encryption=aws:kms&kmsKey=k')).toEqual({
    bucket: 'files',
    prefix: 'a/b/',
    region: 'eu-south-1',
    endpoint: undefined,
    encryption: 'aws:kms',
    kmsKey: 'k',
  })
  expect(blobAddressOf('s3://files?endpoint=https://minio.example.com:9000')).toMatchObject({
    bucket: 'files',
    prefix: '',
    endpoint: 'https://minio.example.com:9000',
  })
  expect(blobAddressOf('file:///srv/files')).toEqual({ folder: '/srv/files' })
  for (const wrong of [
    '/srv/files',
    'https://files.s3.amazonaws.com',
    's3://',
    's3://FILES',
    's3://key:secret@files',
    's3://files/a b',
    's3://files?secret=x',
    's3://files?endpoint=minio',
    's3://files?encryption=rot13',
    's3://files?kmsKey=k',
    'file://host/files',
  ])
    expect(blobAddressOf(wrong), wrong).toBeUndefined()
})
