import { RefundList } from './RefundList.tsx'

/** Credit that was given back. */
export default function RefundListScreen() {
  return <RefundList />
}
