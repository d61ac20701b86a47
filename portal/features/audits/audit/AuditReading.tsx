import type { AuditContent } from '#contract/audits/audit-content.ts'
import { CashSection } from './sections/Cash.tsx'
import { Events } from './sections/Events.tsx'
import { FileFacts } from './sections/FileFacts.tsx'
import { Machine } from './sections/Machine.tsx'
import { Payments } from './sections/Payments.tsx'
import { PriceLists } from './sections/PriceLists.tsx'
import { Remarks } from './sections/Remarks.tsx'
import { Selections } from './sections/Selections.tsx'
import { Totals } from './sections/Totals.tsx'

/** The contents of an audit, the most important first. */
export function AuditReading({ content, showLine }: { content: AuditContent; showLine: (line: number) => void }) {
  return (
    <>
      <Totals content={content} />
      <Remarks content={content} showLine={showLine} />
      <Selections content={content} />
      <PriceLists content={content} />
      <Payments content={content} />
      <CashSection content={content} />
      <Events content={content} showLine={showLine} />
      <Machine content={content} />
      <FileFacts content={content} showLine={showLine} />
    </>
  )
}
