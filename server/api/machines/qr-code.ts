import { ProductError } from '#contract/errors.ts'
import { type MachineLabel, type machineActs, machineAddress, staffAddress } from '#contract/machines/machine-acts.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { codeOfMachine, codesOfMachines, machinesToLabel } from '#database/key-portal/machine-place.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'
import { machineOf } from '#server/http/refuse.ts'
import { qrPng, qrSvg } from '#server/image/qr-image.ts'
import { printedLabels } from '#server/pdf/label-printer.ts'
import { sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'

type Rows = Pick<
  typeof machineActs,
  'getQrCode' | 'getMachineLabels' | 'printMachineLabels' | 'getQrImage' | 'downloadQrCode'
>

async function codeOf({ db, doors, config, request, params }: TenantCall & { params: { posId: string } }) {
  const { serial, name } = await machineOf(db, params.posId)
  return {
    serial,
    name,
    url: machineAddress(publicOriginOf(config, request), (await codeOfMachine(doors, serial)) ?? serial),
  }
}

/** The labels of machines in the order of their ids. Throws MachineNotFound. */
async function labelsOf(
  { db, doors, config, request }: TenantCall,
  posIds: readonly string[],
): Promise<MachineLabel[]> {
  const machineIds = [...new Set(posIds)]
  const rows = await machinesToLabel(db, machineIds)
  if (rows.length < machineIds.length) throw new ProductError('MachineNotFound')
  const codes = await codesOfMachines(
    doors,
    rows.map(({ serial }) => serial),
  )
  const origin = publicOriginOf(config, request)
  const labels = new Map(
    rows.map(({ isShown, ...row }): [string, MachineLabel] => {
      const code = codes.get(row.serial)
      return [
        row.id,
        { ...row, url: machineAddress(origin, code ?? row.serial), isPublic: isShown && code !== undefined },
      ]
    }),
  )
  return machineIds.flatMap((id) => labels.get(id) ?? [])
}

/** QR codes printed on machines. */
export const qrHandlers: Handlers<Rows> = {
  getQrCode: codeOf,

  getMachineLabels: (call) => labelsOf(call, call.body.posIds),

  printMachineLabels: async (call) => {
    const { body, user, now, reply } = call
    const { reader, paper } = body
    const labels = await labelsOf(call, body.posIds)
    const printed = reader === 'customers' ? labels.filter(({ isPublic }) => isPublic) : labels
    if (printed.length === 0) throw new ProductError('MachinePagesNotFound')
    const language = body.language ?? (user.language as Language | null) ?? 'en'
    const t = wordsIn(language, 'machine-act')
    const bytes = await printedLabels({
      paper,
      title: t('labels.title'),
      heading: t(`labels.heading.${reader}`),
      labels: printed.map((label) => ({
        ...label,
        url: reader === 'customers' ? label.url : staffAddress(label.url),
        owner: label.merchantName,
      })),
      now,
    })
    return sendPdf(reply, t('labels.title'), bytes)
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
