import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type CollectionDetail, cashCollections } from '#contract/cash/collection.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { CollectionActions, SourcesCard, StateCard } from '#portal/features/cash/collection/CollectionParts.tsx'
import { collectionLooks } from '#portal/features/cash/collection/collectionLooks.ts'
import { Difference } from '#portal/features/cash/collection/Difference.tsx'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

/** A collection beside the screen. Its page has the count by denomination. */
export default function CollectionPanel({ id }: { id: string }) {
  const { t } = useTranslation('cash-collection')
  const answer = useQuery(
    queryOf(cashCollections.getCashCollection, { params: { merchantId: allMerchants, collectionId: id } }),
  )
  const { record: collection, failure } = panelAnswer(answer)
  return (
    <RecordMerchant id={collection?.merchantId}>
      <PanelFrame
        title={
          collection && (collection.bagNumber ? t('bag.title', { bag: collection.bagNumber }) : collection.posName)
        }
        badges={collection && <StatusBadge of={collectionLooks} value={collection.status} />}
        actions={collection && <CollectionActions key={collection.id} collection={collection} />}
        {...failure}
      >
        {collection && (
          <>
            <Text c="dimmed">
              <PlaceLink place={{ to: '/devices/$posId', params: { posId: collection.posId } }}>
                {collection.posName}
              </PlaceLink>{' '}
              · {collection.posSerial} · <When at={collection.at} as="exact" timeZone={collection.timeZone} />
            </Text>
            <Counted collection={collection} />
            <StateCard collection={collection} />
            <SourcesCard collection={collection} />
          </>
        )}
      </PanelFrame>
    </RecordMerchant>
  )
}

function Counted({ collection }: { collection: CollectionDetail }) {
  const { t } = useTranslation('cash-collection')
  const { counted, currency } = collection
  return (
    <DrawerPart name={t('column.counted')}>
      <Facts
        facts={[
          {
            name: t('column.counted'),
            value: counted === null ? null : <Amount minor={counted} currency={currency} />,
          },
          {
            name: t('column.difference'),
            value: collection.difference === null ? null : <Difference {...collection} />,
          },
        ]}
      />
    </DrawerPart>
  )
}
