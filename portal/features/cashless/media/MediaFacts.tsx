import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Media } from '#contract/cashless/media.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfCustomer, placeOfMedia } from '../../../ui/value/placeOfMedia.ts'

/** What a medium is, whose, and what replaced it. */
export function MediaSubtitle({ media }: { media: Media }) {
  const { t } = useTranslation('media')
  const names = useCodeNames()
  return (
    <span>
      {names.mediaType(media.type)}
      {media.customerId && (
        <>
          {' · '}
          <PlaceLink place={placeOfCustomer(media.customerId)}>{media.customerName}</PlaceLink>
        </>
      )}
      {media.replacedById && (
        <>
          {' · '}
          {t('replacedBy')} <PlaceLink place={placeOfMedia(media.replacedById)}>{media.replacedBySerial}</PlaceLink>
        </>
      )}
    </span>
  )
}

/** The credit of a medium, in the cloud and on the key. */
export function MediaCredit({ media }: { media: Media }) {
  const { t } = useTranslation(['media', 'vocabulary'])
  const format = useFormat()
  const { currency, timeZone, keyCredit, lastCounter } = media
  const amount = (minor: number | null) => (minor === null ? '–' : <Amount minor={minor} currency={currency} />)
  return (
    <Stack gap="md" my="md">
      <StatCards>
        <StatCard label={t('media:field.credit')} value={amount(media.credit)} note={t('media:note.credit')} />
        <StatCard label={t('media:field.cloudCredit')} value={amount(media.cloudCredit)} />
        <StatCard label={t('media:field.bonusCredit')} value={amount(media.bonusCredit)} />
        <StatCard label={t('media:field.reserved')} value={amount(media.reserved)} />
        <StatCard label={t('media:field.keyCredit')} value={amount(keyCredit)} note={t('media:note.keyCredit')} />
      </StatCards>
      <Facts
        facts={[
          {
            name: t('media:field.lastUsedAt'),
            value: media.lastUsedAt && <When at={media.lastUsedAt} as="exact" timeZone={timeZone} />,
          },
          { name: t('media:field.lastCounter'), value: lastCounter === null ? null : format.number(lastCounter) },
          { name: t('media:field.bonusFreeSales'), value: format.number(media.bonusFreeSales) },
          {
            name: t('media:field.originType'),
            value: [t(`vocabulary:mediaOrigin.${media.originType}`), media.originSerial].filter(Boolean).join(' · '),
          },
          { name: t('media:field.externalService'), value: media.externalService },
          {
            name: t('media:field.registeredAt'),
            value: <When at={media.registeredAt} as="exact" timeZone={timeZone} />,
          },
        ]}
      />
    </Stack>
  )
}
