import { webPaymentServices } from '#contract/cashless/web-payment-service.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
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
      subtitle={({ type, url }) => [nameOf(webPaymentTypes, type) ?? null, url]}
    >
      <Details />
    </RecordPage>
  )
}
