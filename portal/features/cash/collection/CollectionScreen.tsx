import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cashCollections } from '#contract/cash/collection.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { CollectionActions, SourcesCard, StateCard } from './CollectionParts.tsx'
import { CountCard } from './CountCard.tsx'
import { collectionLooks } from './collectionLooks.ts'

const CashTrailCard = lazyPart(() => import('../trail/CashTrailCard.tsx'))

/** A cash box in the counting room: its count by denomination beside what was audited and transmitted. */
export default function CollectionScreen() {
  const { t } = useTranslation('cash-collection')
  const answer = useRecord(cashCollections.getCashCollection, 'collectionId')
  const collection = answer.data
  return (
    <DetailScreen
      query={answer}
      merchantId={collection?.merchantId}
      title={collection && (collection.bagNumber ? t('bag.title', { bag: collection.bagNumber }) : collection.posName)}
      aside={collection && <StatusBadge of={collectionLooks} value={collection.status} />}
      subtitle={
        collection && (
          <>
            <PlaceLink place={{ to: '/devices/$posId/cash', params: { posId: collection.posId } }}>
              {collection.posName}
            </PlaceLink>{' '}
            · {collection.posSerial} · <When at={collection.at} as="exact" timeZone={collection.timeZone} />
          </>
        )
      }
      actions={collection && <CollectionActions collection={collection} />}
    >
      {collection && (
        <Columns of="minmax(0, 1fr) 320px" from="sm" gap="part" align="start">
          <Stack gap="part" miw={0}>
            <CountCard key={collection.id} collection={collection} />
            {!collection.isWithheld && (
              <Part>
                <CashTrailCard merchantId={collection.merchantId} of={{ collectionId: collection.id }} />
              </Part>
            )}
          </Stack>
          <Stack gap="part">
            <StateCard collection={collection} />
            <SourcesCard collection={collection} />
          </Stack>
        </Columns>
      )}
    </DetailScreen>
  )
}
