import { RefundGlossary } from '#portal/features/insight/report/RefundGlossary.tsx'
import { RefundList } from './RefundList.tsx'

/** Credit that was given back. */
export default function RefundListScreen() {
  return (
    <>
      <RefundList />
      <RefundGlossary />
    </>
  )
}
