import { Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type Customer,
  type CustomerDetails,
  customerFigureDays,
  customers,
  NewCustomer,
} from '#contract/cashless/customer.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { dayIn, lastDays } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { PhoneField } from '#portal/ui/form/fields/PhoneField.tsx'
import { type DrawField, email, type RecordField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { useNow, When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { placeOfCustomer } from '../../../ui/value/placeOfMedia.ts'
import classes from './Customer.module.css'

function Phone({ values: _, merchantId: __, ...field }: RecordField) {
  const { country } = useMerchant()
  return <PhoneField {...field} country={country} />
}
const phone: DrawField = (field) => <Phone {...field} />
const consent: DrawField = ({ values: _, merchantId: __, ...field }) => <SwitchField {...field} />
function LanguageChoice({ values: _, merchantId: __, ...field }: RecordField) {
  const { t } = useTranslation(['customer', 'shell'])
  const options = [
    { value: '', label: t('customer:noLanguage') },
    ...languages.map((value) => ({ value, label: languageNames[value] })),
  ]
  return <SelectField {...field} options={options} keep={(value) => value || null} />
}
const language: DrawField = (field) => <LanguageChoice {...field} />

const { Create, Details } = recordScreens<Customer>({
  words: 'customer',
  schema: NewCustomer,
  cards: {
    who: { name: text, email, phone, language, externalUserId: text },
    consents: { consentAnalysis: consent, consentCommunications: consent, consentQuality: consent },
  },
  param: 'customerId',
  get: customers.getCustomer,
  create: customers.createCustomer,
  update: customers.updateCustomer,
  placeOf: ({ id }) => placeOfCustomer(id),
  list: { to: '/customers-medias/customers' },
})

export { Create }

/** What users fill in, beside the figures, consents and cards. */
export function DetailsTab() {
  const { data } = useRecord(customers.getCustomer, 'customerId')
  return (
    <Flex gap="lg" wrap="wrap" align="flex-start" className={classes.page}>
      <Details />
      {data && (
        <Stack gap="md" flex="1 1 18rem" miw={0}>
          <Figures customer={data} />
          <Account customer={data} />
          <Consents customer={data} />
          <Cards customer={data} />
        </Stack>
      )}
    </Flex>
  )
}

function Figures({ customer }: { customer: CustomerDetails }) {
  const { t } = useTranslation('customer')
  const format = useFormat()
  const { currency, timeZone } = customer
  const amount = (minor: number) => <Amount minor={minor} currency={currency} />
  const { startDate, endDate } = lastDays(customerFigureDays, dayIn(useNow(), timeZone))
  return (
    <Card title={t('card.figures')} note={`${format.day(startDate)} – ${format.day(endDate)}`}>
      <Facts
        facts={[
          { name: t('field.medias'), value: format.number(customer.medias) },
          { name: t('field.activeBonus'), value: amount(customer.activeBonus) },
          { name: t('field.credit30Days'), value: amount(customer.credit30Days) },
          { name: t('field.recharges30Days'), value: amount(customer.recharges30Days) },
          { name: t('field.sales30Days'), value: amount(customer.sales30Days) },
          {
            name: t('field.lastUsedAt'),
            value: customer.lastUsedAt && <When at={customer.lastUsedAt} timeZone={timeZone} />,
          },
          { name: t('field.createdAt'), value: <When at={customer.createdAt} timeZone={timeZone} /> },
        ]}
      />
    </Card>
  )
}

/** The customer's account at the key portal. */
function Account({ customer: { account, timeZone, medias } }: { customer: CustomerDetails }) {
  const { t } = useTranslation('customer')
  const format = useFormat()
  return (
    <Card title={t('card.account')}>
      {!account && (
        <Text c="dimmed" fz="sm">
          {t('noAccount')}
        </Text>
      )}
      {account && (
        <Facts
          facts={[
            { name: t('account.email'), value: account.email },
            { name: t('account.registeredAt'), value: <When at={account.registeredAt} timeZone={timeZone} /> },
            {
              name: t('account.lastSignInAt'),
              value: account.lastSignInAt && <When at={account.lastSignInAt} timeZone={timeZone} />,
            },
            { name: t('account.medias'), value: format.number(medias) },
          ]}
        />
      )}
    </Card>
  )
}

function Consents({ customer }: { customer: CustomerDetails }) {
  const { t } = useTranslation('customer')
  const { timeZone } = customer
  const dates = [
    { name: t('field.consentAnalysisAt'), at: customer.consentAnalysisAt },
    { name: t('field.consentCommunicationsAt'), at: customer.consentCommunicationsAt },
    { name: t('field.consentQualityAt'), at: customer.consentQualityAt },
  ]
  return (
    <Card title={t('card.consentDates')}>
      <Facts
        facts={dates.map(({ name, at }) => ({ name, value: at && <When at={at} as="exact" timeZone={timeZone} /> }))}
      />
    </Card>
  )
}

function Cards({ customer: { cards, timeZone } }: { customer: CustomerDetails }) {
  const { t } = useTranslation('customer')
  return (
    <Card title={t('card.payment')}>
      {cards.length === 0 && (
        <Text c="dimmed" fz="sm">
          {t('noCards')}
        </Text>
      )}
      <Stack component="ul" gap="sm">
        {cards.map(({ type, lastFour, expiryMonth, expiryYear, isSaved, lastUsedAt }) => (
          <Stack component="li" gap={0} key={`${type} ${lastFour}`}>
            <strong>
              {type} •••• {lastFour}
            </strong>
            <Text span c="dimmed" fz="sm">
              {t('expires', { date: `${String(expiryMonth).padStart(2, '0')}/${expiryYear}` })}
              {' · '}
              {t(isSaved ? 'savedCard' : 'notSavedCard')}
              {lastUsedAt && (
                <>
                  {' · '}
                  {t('cardUsed')} <When at={lastUsedAt} timeZone={timeZone} />
                </>
              )}
            </Text>
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
