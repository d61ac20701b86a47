import { createHash, randomUUIDv7 } from 'node:crypto'
import {
  mostScreenBytes,
  mostScreenFiles,
  ScreenFile,
  type screenFiles,
  screenPartBytes,
  screenRuleOf,
} from '#contract/configurations/screen-file.ts'
import { ProductError } from '#contract/errors.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { fileFault } from '#contract/frame/file-rules.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import {
  completeScreenFile,
  dropUnfinished,
  findScreenFile,
  holdScreenFile,
  insertScreenFile,
  isFileUsed,
  listScreenFiles,
  removeScreenFile,
  screenBlob,
  screenFileTotals,
  screenPartBlob,
} from '#database/configurations/screen-file.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { factsOf } from '#domain/frame/file-kind.ts'
import type { Blobs } from '#server/files/blobs.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseFault } from '#server/http/refuse.ts'
import { mimeOf } from '#server/http/send-blob.ts'
import { wireOf } from '#server/http/wire.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof findScreenFile>>>

const present = (row: Stored): ScreenFile => wireOf(ScreenFile, row, { isComplete: row.type !== null })

const refuse = (fault: BrokenRule): never => refuseFault('data', fault)

const partsOf = ({ bytes }: { bytes: number }) => Math.ceil(bytes / screenPartBytes)

/** Joins the parts of an upload. Returns its checksum; undefined if a part is missing. */
async function join(blobs: Blobs, { merchant_id, id, bytes }: Stored): Promise<string | undefined> {
  const parts = await Promise.all(
    Array.from({ length: partsOf({ bytes }) }, (_, part) => blobs.get(screenPartBlob(merchant_id, id, part))),
  )
  const available = parts.filter((part) => part !== undefined)
  if (available.length < parts.length || available.reduce((sum, { size }) => sum + size, 0) !== bytes) {
    for (const { content } of available) content.destroy()
    return undefined
  }
  const hash = createHash('sha256')
  const whole = async function* () {
    for (const { content } of available)
      for await (const piece of content as AsyncIterable<Buffer>) {
        hash.update(piece)
        yield piece
      }
  }
  await blobs.put(screenBlob(merchant_id, id), whole())
  return hash.digest('hex')
}

const dropParts = async (blobs: Blobs, merchantId: string, id: string, parts: number) => {
  for (let part = 0; part < parts; part += 1) await blobs.remove(screenPartBlob(merchantId, id, part))
}

/** Pictures and videos of screens, uploaded in parts. Their type is taken from their content, never from their name. */
export const screenFileHandlers: Handlers<typeof screenFiles> = {
  listScreenFiles: async ({ db }) => (await listScreenFiles(db)).map(present),

  createScreenFile: async ({ db, params, body, now, blobs }) => {
    const { merchantId } = params
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const dropped = await dropUnfinished(db, merchantId, new Date(now.getTime() - 86_400_000))
    const most = partsOf({ bytes: screenRuleOf('video').maxBytes })
    db.afterCommit(() => {
      for (const id of dropped) dropParts(blobs, merchantId, id, most).catch(() => undefined)
    })
    const total = await screenFileTotals(db, merchantId)
    if (total.files >= mostScreenFiles || total.bytes + body.bytes > mostScreenBytes)
      throw new ProductError('TooManyScreenFiles', { most: mostScreenFiles })
    const row = {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      origin: 'upload' as const,
      name: body.name,
      kind: body.kind,
      type: null,
      bytes: body.bytes,
      sha256: null,
      created_at: now,
    }
    await insertScreenFile(db, row)
    return present({ ...row, parts: [] })
  },

  putScreenFilePart: async ({ db: narrow, params, body, user, now, live, blobs }) => {
    const db = withinScope(narrow, user.scope)
    const file = await holdScreenFile(db, params.screenFileId)
    if (!file) throw new ProductError('ScreenFileNotFound')
    // A repeated part of a complete upload: only its answer got lost.
    if (file.type !== null) return present(file)
    const part = Number(params.part)
    const last = partsOf(file) - 1
    const bytes = Buffer.from(body.data, 'base64')
    const expected = part === last ? file.bytes - last * screenPartBytes : screenPartBytes
    if (part > last || bytes.length !== expected) refuse(broken('format'))
    if (part === 0) {
      const facts = factsOf(bytes, file.bytes)
      const fault = fileFault(screenRuleOf(file.kind as ScreenFile['kind']), facts)
      if (fault) refuse(fault)
    }
    await blobs.put(screenPartBlob(file.merchant_id, file.id, part), [bytes])
    if (part < last) return present(file)
    const sha256 = await join(blobs, file)
    if (sha256 === undefined) return refuse(broken('format'))
    const first = part === 0 ? bytes : await startOf(blobs, file)
    const { kind } = factsOf(first, file.bytes)
    await completeScreenFile(db, file, kind, sha256)
    const { merchant_id: merchantId, id, name } = file
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'screenFile.create',
      subjectType: 'screenFile',
      subjectId: id,
      after: { name, kind: file.kind, type: kind, bytes: file.bytes },
    })
    db.afterCommit(() => {
      live.announce(merchantId, 'screenConfiguration')
      dropParts(blobs, merchantId, id, last + 1).catch(() => undefined)
    })
    return present({ ...file, type: kind, sha256 })
  },

  getScreenFileContent: async ({ db, params, blobs, reply }) => {
    const file = await findScreenFile(db, params.screenFileId)
    const blob = file?.type ? await blobs.get(screenBlob(file.merchant_id, file.id)) : undefined
    if (!file || !blob) throw new ProductError('ScreenFileNotFound')
    reply.type(mimeOf(file.type)).header('content-length', blob.size).send(blob.content)
  },

  deleteScreenFile: async ({ db: narrow, params, user, now, live, blobs }) => {
    const db = withinScope(narrow, user.scope)
    const file = await holdScreenFile(db, params.screenFileId)
    if (!file) throw new ProductError('ScreenFileNotFound')
    if (await isFileUsed(db, file)) throw new ProductError('ScreenFileInUse')
    await removeScreenFile(db, file)
    const { merchant_id: merchantId, id, name } = file
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'screenFile.delete',
      subjectType: 'screenFile',
      subjectId: id,
      before: { name, kind: file.kind },
    })
    db.afterCommit(() => {
      live.announce(merchantId, 'screenConfiguration')
      blobs.remove(screenBlob(merchantId, id)).catch(() => undefined)
    })
  },
}

/** The first bytes of a complete file. */
async function startOf(blobs: Blobs, { merchant_id, id }: Stored): Promise<Uint8Array> {
  const blob = await blobs.get(screenBlob(merchant_id, id))
  if (!blob) throw new Error('The joined file is missing.')
  for await (const piece of blob.content as AsyncIterable<Buffer>) {
    blob.content.destroy()
    return piece
  }
  return new Uint8Array()
}
