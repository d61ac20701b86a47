import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UnusualCommandPrices } from '#contract/commands/remote-command.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { type Confirmation, ConfirmDialog } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { UnusualPriceList } from '#portal/ui/price/UnusualPriceList.tsx'

/** Sends a command. The server names unusual prices of an order, and the user confirms them apart. Put `dialog` on the screen. */
export function useUnusualPrices() {
  const { t } = useTranslation(['remote-command', 'price', 'vocabulary'])
  const format = useFormat()
  const [question, setQuestion] = useState<Confirmation>()
  const answer = useRef<(isConfirmed: boolean) => void>(undefined)

  const tableName = (priceTable: number | null) =>
    priceTable === null
      ? t('remote-command:field.allTables')
      : t(`vocabulary:priceTable.${nameOf(priceTables, priceTable)}`)

  const isConfirmed = ({ unusual, prices }: UnusualCommandPrices, currency: Currency) => {
    const count = { count: unusual, number: format.number(unusual) }
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
      setQuestion({
        title: t('price:unusual.askSend', count),
        consequence: (
          <UnusualPriceList
            prices={prices.map(({ posId, posName, priceTable, ...price }) => ({
              ...price,
              key: `${posId} ${priceTable} ${price.selection}`,
              machine: posName,
              table: tableName(priceTable),
            }))}
            count={unusual}
            currency={currency}
          />
        ),
        confirm: t('price:unusual.doSend', count),
        dismiss: { how: 'edit' },
        isDanger: true,
        act: () => resolve(true),
      })
    })
  }

  /** The result of `sendNow`, called again with the digest of confirmed prices; undefined if the user does not confirm. */
  const send = async <T,>(sendNow: (confirmed: string | null) => Promise<T>, currency: Currency | undefined) => {
    let confirmed: string | null = null
    for (;;) {
      try {
        return await sendNow(confirmed)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PricesUnusual' || !currency) throw error
        // A price may change while the user reads; then other prices are to be confirmed.
        const unusual = UnusualCommandPrices.parse(error.facts)
        if (!(await isConfirmed(unusual, currency))) return undefined
        confirmed = unusual.digest
      }
    }
  }
  const close = () => {
    answer.current?.(false)
    setQuestion(undefined)
  }
  return { send, dialog: <ConfirmDialog question={question} close={close} /> }
}
