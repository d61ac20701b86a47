import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { type machineActs, machineAddress } from '#contract/machines/machine-acts.ts'
import { codeOfMachine, codesOfMachines } from '#database/key-portal/machine-place.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'
import { machineOf } from '#server/http/refuse.ts'
import { qrPng, qrSvg } from '#server/image/qr-image.ts'

type Rows = Pick<typeof machineActs, 'getQrCode' | 'getMachineLabels' | 'getQrImage' | 'downloadQrCode'>

async function codeOf({ db, doors, config, request, params }: TenantCall & { params: { posId: string } }) {
  const { serial, name } = await machineOf(db, params.posId)
  return {
    serial,
    name,
    url: machineAddress(publicOriginOf(config, request), (await codeOfMachine(doors, serial)) ?? serial),
  }
}

/** QR codes printed on machines. */
export const qrHandlers: Handlers<Rows> = {
  getQrCode: codeOf,

  getMachineLabels: async ({ db, doors, config, request, body }) => {
    const rows = await db
      .from('machines')
      .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
      .where(sql<boolean>`machines.id = any(${body.posIds}::uuid[])`)
      .select(['machines.id', 'machines.serial', 'machines.name', 'merchants.name as merchantName'])
      .execute()
    const machineIds = [...new Set(body.posIds)]
    if (rows.length < machineIds.length) throw new ProductError('MachineNotFound')
    const codes = await codesOfMachines(
      doors,
      rows.map(({ serial }) => serial),
    )
    const origin = publicOriginOf(config, request)
    const labels = new Map(
      rows.map((row) => [row.id, { ...row, url: machineAddress(origin, codes.get(row.serial) ?? row.serial) }]),
    )
    return machineIds.flatMap((id) => labels.get(id) ?? [])
  },

  getQrImage: async (call) => {
    const { url } = await codeOf(call)
    call.reply.header('cache-control', 'private, max-age=3600').send(qrSvg(url))
  },

  downloadQrCode: async (call) => {
    const { url, serial } = await codeOf(call)
    const { format } = call.query
    // A serial consists of letters, digits, dots, dashes and underscores.
    call.reply
      .type(format === 'png' ? 'image/png' : 'image/svg+xml')
      .header('content-disposition', `attachment; filename="${serial}.${format}"`)
      .send(format === 'png' ? qrPng(url) : qrSvg(url))
  },
}
