import { Checkbox, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NewWebhook, type Webhook, webhooks } from '#contract/merchants/webhook.ts'
import { webhookEvents } from '#contract/merchants/webhook-vocabulary.ts'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { type DrawField, text, yesOrNo } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'

const Address: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('webhook')
  return <UrlField {...field} description={t('hint.url')} />
}

const EventsField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('webhook')
  const { value, set, input, isFixed } = useField<string[], Record<string, unknown>>(props)
  return (
    <div className="whole">
      <Checkbox.Group {...input} value={value} onChange={set}>
        <SimpleGrid minColWidth={200} spacing="md" verticalSpacing="near" mt="near">
          {webhookEvents.map((event) => (
            <Checkbox key={event} value={event} label={t(`event.${event}`)} disabled={isFixed} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Text mt="near" c="dimmed" fz="fine" lh="fine">
        {t('hint.events')}
      </Text>
    </div>
  )
}

/** A webhook as users create and edit it. */
export const { Create, Details } = recordScreens<Webhook>({
  words: 'webhook',
  schema: NewWebhook,
  cards: {
    receiver: { name: text, url: (field) => <Address {...field} />, isEnabled: yesOrNo },
    events: { events: (field) => <EventsField {...field} /> },
  },
  param: 'webhookId',
  get: webhooks.getWebhook,
  create: webhooks.createWebhook,
  update: webhooks.updateWebhook,
  placeOf: ({ id }) => ({ to: '/manage/webhooks/$webhookId', params: { webhookId: id } }),
  list: { to: '/manage/webhooks' },
  newIn: () => ({ isEnabled: true, events: [] }),
})
