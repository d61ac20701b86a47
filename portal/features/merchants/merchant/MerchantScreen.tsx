import { Button, Flex } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { rolesThatMay } from '#contract/access.ts'
import { type MerchantDetails, merchantEdits } from '#contract/merchants/merchant-edit.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { DemoBadge } from './DemoBadge.tsx'

/** The first user of a merchant invites the others. */
const firstRole = rolesThatMay('user.write').at(-1)

const tabs = [
  { to: '/admin/merchants/$merchantId', name: 'details' },
  { to: '/admin/merchants/$merchantId/setting', name: 'merchantSetting' },
  { to: '/admin/merchants/$merchantId/sapcodes', name: 'sapCodes' },
] as const

/** A merchant: its details, its features, and the SAP codes of its keys. */
export default function MerchantScreen() {
  const { t } = useTranslation(['merchant', 'shell'])
  const { merchantId } = useParams({ strict: false }) as { merchantId: string }
  const answer = useQuery(queryOf(merchantEdits.getMerchant, { params: { merchantId } }))
  const merchant = answer.data
  const invite = (
    <Button<typeof PlaceLink>
      component={PlaceLink}
      place={{
        to: '/admin/users/create',
        search: { of: merchantId, ...(merchant?.people === 0 && { role: firstRole }) },
      }}
      variant="default"
      leftSection={<IconUserPlus size={16} aria-hidden />}
    >
      {t('merchant:invite')}
    </Button>
  )
  return (
    <DetailScreen
      query={answer}
      title={merchant?.name}
      aside={merchant && <DemoBadge merchant={merchant} />}
      subtitle={merchant && <InOneLine merchant={merchant} />}
      actions={invite}
      banner={
        merchant?.people === 0 && (
          <Note tone="gold" mb="part" fz="head" c="inherit" role="status">
            {t('merchant:nobody')}
          </Note>
        )
      }
      tabs={tabs.map(({ to, name }) => ({ to, name: t(`shell:screens.${name}`) }))}
    />
  )
}

function InOneLine({ merchant }: { merchant: MerchantDetails }) {
  const { t } = useTranslation('merchant')
  const format = useFormat()
  const { id, country, currency, timeZone, machines, people } = merchant
  const parts = [
    new Intl.DisplayNames(format.locale, { type: 'region' }).of(country) ?? country,
    currency,
    timeZone.replaceAll('_', ' '),
    t('machines', { count: machines, number: format.number(machines) }),
    t('people', { count: people, number: format.number(people) }),
  ]
  return (
    <Flex component="span" rowGap="hair" columnGap="xs" wrap="wrap" align="center" display="inline-flex">
      <span>{parts.join(' · ')}</span>
      <CopyId value={id} isShort />
    </Flex>
  )
}
