import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type PriceEdit, prices } from '#contract/catalogue/price.ts'
import { type WrongPrice, wrongPrices } from '#contract/catalogue/wrong-price.ts'
import { call } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { KeptTextarea } from '#portal/ui/form/KeptTextarea.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { usePriceUpdate } from '../price/usePriceUpdate.tsx'

/** Each machine is a call of its own. */
export const mostMended = 500

const isOpen = ({ status }: WrongPrice) => status !== 'closed'
const machinesOf = (rows: readonly WrongPrice[]) => [...Map.groupBy(rows, ({ posId }) => posId).values()]

/** Accepting makes the machine's price the target price. */
const acceptedEdit = ({ selection, priceTable, wanted: target, actual }: WrongPrice): PriceEdit => ({
  selection,
  priceTable,
  before: target,
  price: actual,
})
const reversed = (edit: PriceEdit): PriceEdit => ({
  ...edit,
  before: edit.price,
  price: edit.before,
  isConfirmed: true,
})

type Selection = BulkSelection<WrongPrice>
const countOf = (selection: Selection) => (selection.kind === 'rows' ? selection.items.length : selection.count)

const tell = (error: unknown) => {
  toast.error(error)
  throw error
}

/** The selected rows and the parameters of calls on them, and numbers in sentences. */
function useRowsOfSelection() {
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  return {
    many: (count: number) => ({ count, number: format.number(count) }),
    /** The selected rows; for a selection by filters, all matching rows are fetched. */
    rowsOf: async (selection: Selection): Promise<readonly WrongPrice[]> => {
      if (selection.kind === 'rows') return selection.items.filter(isOpen)
      const query = { ...selection.filters, page: 1, size: mostMended }
      const { items } = await call(wrongPrices.listWrongPrices, { params: { merchantId }, query })
      return items.filter((row) => isOpen(row) && !selection.except.includes(row.id))
    },
    paramsOf: ([first]: readonly WrongPrice[]) => ({
      merchantId: first?.merchantId ?? merchantId,
      posId: first?.posId ?? '',
    }),
  }
}

/** Sends the target prices of the selected machines again. */
function useSendAgain() {
  const { t } = useTranslation('wrong-price')
  const client = useQueryClient()
  const { many, rowsOf, paramsOf } = useRowsOfSelection()
  return async (selection: Selection) => {
    const machines = machinesOf(await rowsOf(selection))
    const refused: { name: string; code: string }[] = []
    let sent = 0
    for (const some of machines) {
      try {
        await call(prices.sendPrices, { params: paramsOf(some) })
        sent++
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refused.push({ name: some[0]?.posName ?? '', code: error.code })
      }
    }
    await client.invalidateQueries()
    if (sent > 0) toast.success('wrong-price:send.done', many(sent))
    const [first] = refused
    if (first)
      toast.warning(
        'wrong-price:send.refused',
        { ...many(refused.length), name: first.name, reason: t(`errors:${first.code}`) },
        { isPersistent: true },
      )
  }
}

/** Makes the machines' prices the target prices, with undo; `dialog` asks about unusual prices. */
function useAccept() {
  const client = useQueryClient()
  const { many, rowsOf, paramsOf } = useRowsOfSelection()
  const { update, dialog } = usePriceUpdate()
  const write = async (rows: readonly WrongPrice[], editOf: (row: WrongPrice) => PriceEdit) => {
    let saved = 0
    for (const some of machinesOf(rows)) {
      const answer = await update(paramsOf(some), some.map(editOf), (some[0] as WrongPrice).currency)
      saved += answer.saved
    }
    await client.invalidateQueries()
    return saved
  }
  const accept = async (selection: Selection) => {
    const rows = (await rowsOf(selection)).filter(({ actual }) => actual !== null)
    const saved = await write(rows, acceptedEdit)
    if (saved < rows.length) toast.warning('wrong-price:accept.changed', many(rows.length - saved))
    const act = async () => void (await write(rows, (row) => reversed(acceptedEdit(row))))
    if (saved > 0)
      toast.success('wrong-price:accept.done', many(saved), { undo: { act, says: 'wrong-price:accept.undone' } })
  }
  return { accept, dialog }
}

/** Closes wrong prices with a note. */
function useClosing() {
  const client = useQueryClient()
  const { id: merchantId } = useMerchant()
  const { many } = useRowsOfSelection()
  return async (rows: readonly WrongPrice[], note: string) => {
    const losses = rows.map(({ posId, selection, priceTable, sales, lost }) => ({
      posId,
      selection,
      priceTable,
      sales,
      lost,
    }))
    const body = { prices: losses, note: note.trim() || null }
    const { closed, changed } = await call(wrongPrices.closeWrongPrices, { params: { merchantId }, body })
    await client.invalidateQueries()
    if (closed > 0) toast.success('wrong-price:close.done', many(closed))
    if (changed > 0) toast.warning('wrong-price:close.changed', many(changed))
  }
}

/** Actions on wrong prices: send the target prices again, or accept the machine's prices. */
export function useWrongPriceActs() {
  const { t } = useTranslation('wrong-price')
  const { ask, dialog } = useConfirm()
  const { many, rowsOf } = useRowsOfSelection()
  const sendAgain = useSendAgain()
  const { accept, dialog: priceDialog } = useAccept()
  const closeRows = useClosing()
  const asking =
    (name: 'send' | 'accept', act: (selection: Selection) => Promise<void>) =>
    (selection: Selection, clear: () => void) => {
      const count = many(countOf(selection))
      ask({
        title: t(`${name}.title`, count),
        consequence: t(`${name}.consequence`, count),
        confirm: t(`${name}.confirm`, count),
        dismiss: { how: name === 'send' ? 'dontSend' : 'leave' },
        act: () => act(selection).then(clear, tell),
      })
    }
  const close = async (selection: Selection, clear: () => void) => {
    const rows = await rowsOf(selection)
    if (rows.length === 0) return toast.warning('wrong-price:close.none')
    let note = ''
    ask({
      title: t('close.title', many(rows.length)),
      consequence: t('close.consequence', many(rows.length)),
      confirm: t('close.confirm', many(rows.length)),
      dismiss: { how: 'leave' },
      children: (
        <KeptTextarea
          name="close note"
          autosize
          label={t('close.note')}
          maxLength={500}
          onText={(text) => {
            note = text
          }}
        />
      ),
      act: () => closeRows(rows, note).then(clear, tell),
    })
  }
  const dialogs = (
    <>
      {dialog}
      {priceDialog}
    </>
  )
  return { send: asking('send', sendAgain), accept: asking('accept', accept), close, dialogs }
}
