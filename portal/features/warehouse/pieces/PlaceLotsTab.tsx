import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconClipboardCheck, IconPackageImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type NewPieceOperation,
  type PlaceLot,
  pieceOperations,
  placeLotColumns,
  placeLotOrds,
} from '#contract/warehouse/piece-operation.ts'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { PieceDialog } from './PieceDialog.tsx'

const order = { ord: 'expiresOn', ordType: 'ASC' } as const
const keyOf = ({ productId, lotId }: PlaceLot) => `${productId} ${lotId}`
/** Days before its last day of sale from which a lot is marked. */
const soonDays = 14
const toneOf = ({ daysLeft }: PlaceLot) => {
  if (daysLeft !== null && daysLeft < 0) return 'crit'
  return daysLeft !== null && daysLeft <= soonDays ? 'warn' : undefined
}

const columns = recordColumns<PlaceLot>(placeLotColumns, placeLotOrds, ({ t, format }: Say) => {
  const left = (days: number) => {
    const number = format.number(Math.abs(days))
    if (days === 0) return t('piece:lastDay')
    return t(days > 0 ? 'piece:daysLeft' : 'piece:expiredDays', { count: Math.abs(days), number })
  }
  return {
    lines: ['productCode', 'lotCode', 'expiresOn'],
    aside: 'pieces',
    hidden: ['receivedAt'],
    looks: {
      lotCode: {
        cell: ({ lotId, lotCode }) =>
          lotId === null ? (
            <Text span c="dimmed">
              {t('piece:found')}
            </Text>
          ) : (
            lotCode
          ),
      },
      expiresOn: {
        cell: ({ expiresOn, daysLeft }) =>
          expiresOn !== null && (
            <Stack component="span" gap={0}>
              <span>{format.day(expiresOn)}</span>
              {daysLeft !== null && daysLeft <= soonDays && (
                <Text span c="dimmed" fz="fine" lh="fine">
                  {left(daysLeft)}
                </Text>
              )}
            </Stack>
          ),
      },
    },
  }
})

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('piece:filter.search') },
  whether('isExpired', t('piece:filter.expiry'), t('piece:filter.expired'), t('piece:filter.notExpired')),
]

type Kind = NewPieceOperation['kind']
const acts = [
  ['purchase', IconPackageImport],
  ['transfer', IconArrowsExchange],
  ['count', IconClipboardCheck],
  ['waste', undefined],
  ['supplierReturn', undefined],
] as const

/** The lots of a warehouse or van, and what users book there. */
export default function PlaceLotsTab() {
  const { t } = useTranslation('piece')
  const { data: place } = useRecord(stockPlaces.getStockPlace, 'stockPlaceId')
  const mayBook = useMay(pieceOperations.bookPieces)
  const [kind, setKind] = useState<Kind>()
  if (!place) return null
  return (
    <>
      {mayBook && (
        <Flex gap="near" wrap="wrap" mb="part">
          {acts.map(([act, Icon]) => (
            <Button
              key={act}
              variant={act === 'purchase' ? 'filled' : 'default'}
              leftSection={Icon && <Icon size={15} aria-hidden />}
              onClick={() => setKind(act)}
            >
              {t(`do.${act}`)}
            </Button>
          ))}
        </Flex>
      )}
      <ListScreen
        id="placeLots"
        isEmbedded
        title={place.name}
        row={pieceOperations.listPlaceLots}
        params={{ stockPlaceId: place.id }}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
        toneOf={toneOf}
        empty={{ title: t('lots.empty.title'), text: t('lots.empty.text') }}
      />
      {kind && <PieceDialog place={place} kind={kind} close={() => setKind(undefined)} />}
    </>
  )
}
