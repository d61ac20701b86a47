import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PriceEdit, prices, UnusualPrices } from '#contract/catalogue/price.ts'
import type { ResultOf } from '#contract/frame/endpoint.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { call } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { type Confirmation, ConfirmDialog } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { UnusualPriceList } from '../../../ui/price/UnusualPriceList.tsx'
import { tableWord } from './machinePrice.ts'

type Params = { merchantId: string; posId: string }
type UpdateResult = ResultOf<typeof prices.updatePrices>
/** Saves target prices of a machine. Unconfirmed unusual prices are an error. */
export type PriceUpdate = (params: Params, edits: readonly PriceEdit[], currency: Currency) => Promise<UpdateResult>

const keyOf = ({ selection, priceTable }: { selection: string; priceTable: number }) => `${priceTable} ${selection}`

/** Saves prices of a machine. The server names unusual prices, and the user confirms them apart. Put `dialog` on the screen. */
export function usePriceUpdate() {
  const { t } = useTranslation(['price', 'vocabulary'])
  const format = useFormat()
  const [question, setQuestion] = useState<Confirmation>()
  const answer = useRef<(isConfirmed: boolean) => void>(undefined)

  const isConfirmed = (unusual: UnusualPrices['prices'], currency: Currency) => {
    const count = { count: unusual.length, number: format.number(unusual.length) }
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
      setQuestion({
        title: t('price:unusual.ask', count),
        consequence: (
          <UnusualPriceList
            prices={unusual.map((one) => ({ ...one, key: keyOf(one), table: t(tableWord(one.priceTable)) }))}
            count={unusual.length}
            currency={currency}
          />
        ),
        confirm: t('price:unusual.do', count),
        dismiss: { how: 'edit' },
        isDanger: true,
        act: () => resolve(true),
      })
    })
  }

  const update: PriceUpdate = async (params, edits, currency) => {
    try {
      return await call(prices.updatePrices, { params, body: { edits: [...edits] } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'PricesUnusual') throw error
      const unusual = UnusualPrices.parse(error.facts).prices
      if (!(await isConfirmed(unusual, currency))) throw error
      const keys = new Set(unusual.map(keyOf))
      const confirmed = edits.map((edit) => (keys.has(keyOf(edit)) ? { ...edit, isConfirmed: true } : edit))
      return call(prices.updatePrices, { params, body: { edits: confirmed } })
    }
  }
  const close = () => {
    answer.current?.(false)
    setQuestion(undefined)
  }
  return { update, dialog: <ConfirmDialog question={question} close={close} /> }
}
