import { webPaymentServices } from '#contract/cashless/web-payment-service.ts'
import { type WebPaymentType, webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { Details } from './webPaymentServiceRecord.tsx'

/** A payment service. */
export default function WebPaymentServiceScreen() {
  return (
    <RecordPage
      get={webPaymentServices.getWebPaymentService}
      param="webPaymentServiceId"
      words="web-payment-service"
      remove={webPaymentServices.deleteWebPaymentService}
      list="/admin/webpayment-services"
      subtitle={({ type, url }) => [webPaymentTypes[type as WebPaymentType], url]}
    >
      <Details />
    </RecordPage>
  )
}
