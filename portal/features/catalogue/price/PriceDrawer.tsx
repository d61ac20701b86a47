import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { prices, type TablePrice } from '#contract/catalogue/price.ts'
import { priceChanges } from '#contract/catalogue/price-change.ts'
import { SelectionName } from '#contract/device-protocol.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { DetailDrawer, DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { isWrong } from './machinePrice.ts'
import { PriceTruth } from './PriceTruth.tsx'
import { priceSyncLooks } from './priceLooks.ts'
import { SelectionHistory } from './SelectionHistory.tsx'

const EditPrice = lazyPart(() => import('./EditPrice.tsx'), ['form'])

/** The open selection is in the address, so that a link opens the same prices and Back closes them. */
export function useOpenSelection() {
  const addressSelection = oneOf(useAddressQuery(), 'selection')
  const selection = SelectionName.safeParse(addressSelection).data
  const go = useGo()
  const show = useCallback(
    (value: string | undefined) =>
      void go({ here: { selection: value } }, { replace: value === undefined, resetScroll: false }),
    [go],
  )
  const close = useCallback(() => show(undefined), [show])
  return { selection, open: show, close }
}

/** Price lists in which the machine's price differs from the target come first. */
const worstFirst = (some: readonly TablePrice[]) =>
  some.toSorted((one, other) => Number(isWrong(other)) - Number(isWrong(one)))

interface Props {
  params: { merchantId: string; posId: string }
  mayWrite: boolean
}

/** All known facts about the prices of one selection, and their history. */
export function PriceDrawer({ params, mayWrite }: Props) {
  const { t } = useTranslation(['price', 'vocabulary', 'errors'])
  const format = useFormat()
  const { selection, close } = useOpenSelection()
  const [edited, setEdited] = useState<number>()
  const { ask, dialog } = useConfirm()
  const cancel = useCommand(priceChanges.cancelPlannedPrices, {
    says: ({ cancelled }) => ({
      key: 'price:planned.cancelled',
      values: { count: cancelled, number: format.number(cancelled) },
    }),
  })
  const { data, error, refetch } = useQuery({
    ...queryOf(prices.listPrices, { params, query: { selections: [selection ?? ''], size: 20 } }),
    enabled: selection !== undefined,
  })
  const row = selection === undefined ? undefined : data?.items.find((one) => one.selection === selection)
  const isPlanned = row?.prices.some(({ planned }) => planned.length > 0) ?? false
  const askCancel = () =>
    ask({
      title: t('price:planned.title'),
      consequence: t('price:planned.consequence'),
      confirm: t('price:planned.do'),
      dismiss: { how: 'leave' },
      isDanger: true,
      act: () => cancel.mutateAsync({ params }),
    })
  return (
    <>
      <DetailDrawer
        isOpen={selection !== undefined}
        close={close}
        title={[selection, row?.product].filter(Boolean).join(' ')}
        badges={row && <StatusBadge of={priceSyncLooks} value={row.sync} />}
        error={row ? undefined : error}
        retry={refetch}
        actions={
          isPlanned &&
          mayWrite && (
            <Button variant="default" onClick={askCancel}>
              {t('price:planned.do')}
            </Button>
          )
        }
      >
        {data && !row && <Text c="dimmed">{t('price:truth.gone')}</Text>}
        {row &&
          worstFirst(row.prices).map((price) => (
            <PriceTruth
              key={price.priceTable}
              posId={params.posId}
              price={price}
              currency={row.currency}
              edit={mayWrite ? () => setEdited(price.priceTable) : undefined}
            />
          ))}
        {row && (
          <DrawerPart name={t('price:history.title')}>
            <SelectionHistory params={params} selection={row.selection} />
          </DrawerPart>
        )}
      </DetailDrawer>
      {row && edited !== undefined && (
        <Part failed={(again) => <PartFailure again={again} close={() => setEdited(undefined)} />}>
          <EditPrice params={params} row={row} table={edited} close={() => setEdited(undefined)} />
        </Part>
      )}
      {dialog}
    </>
  )
}
