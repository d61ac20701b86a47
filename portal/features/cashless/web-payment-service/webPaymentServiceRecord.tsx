import {
  NewWebPaymentService,
  type WebPaymentService,
  webPaymentServices,
} from '#contract/cashless/web-payment-service.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import { type DrawField, longText, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'

const types = Object.entries(webPaymentTypes).map(([label, number]) => ({ value: String(number), label }))
const type: DrawField = ({ values: _, merchantId: __, ...field }) => (
  <SelectField {...field} options={types} keep={Number} />
)
const url: DrawField = ({ values: _, merchantId: __, ...field }) => <UrlField {...field} />

/** A payment service as the super admin creates and edits it. */
export const { Create, Details } = recordScreens<WebPaymentService>({
  words: 'web-payment-service',
  schema: NewWebPaymentService,
  cards: { service: { name: text, type, url, description: longText } },
  param: 'webPaymentServiceId',
  get: webPaymentServices.getWebPaymentService,
  create: webPaymentServices.createWebPaymentService,
  update: webPaymentServices.updateWebPaymentService,
  placeOf: ({ id }) => ({ to: '/admin/webpayment-services/$webPaymentServiceId', params: { webPaymentServiceId: id } }),
  list: { to: '/admin/webpayment-services' },
  isOfPlatform: true,
  valueText: (field, value) => (field === 'type' ? nameOf(webPaymentTypes, Number(value)) : undefined),
})
