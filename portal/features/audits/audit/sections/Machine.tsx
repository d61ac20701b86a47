import type { AuditContent } from '#contract/audits/audit-content.ts'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { useReading } from '../useReading.ts'
import { Rows, Section } from './Section.tsx'

/** The machine's identity, its devices, and its number of audit readings. */
export function Machine({ content }: { content: AuditContent }) {
  const { t, count, time } = useReading(content.money)
  const { identity, peripherals, reads, countersBeganAt, powerOutages } = content
  const { serial, model, build, location, assetNumber, controlBoard, dstRule } = identity
  const both = (of: { sinceInitialisation: number | null; sinceReset: number | null } | null) =>
    of && `${count(of.sinceInitialisation) ?? '–'} / ${count(of.sinceReset) ?? '–'}`
  return (
    <Section title={t('section.machine')} from="ID1 CB1 EA3 EA7">
      <Facts
        unknown={t('notReported')}
        facts={[
          { name: t('machine.serial'), value: serial && <CopyId value={serial} /> },
          { name: t('machine.model'), value: model },
          { name: t('machine.build'), value: build },
          { name: t('machine.location'), value: location },
          { name: t('machine.asset'), value: assetNumber },
          {
            name: t('machine.board'),
            value:
              controlBoard &&
              [controlBoard.serial, controlBoard.model, controlBoard.software].filter(Boolean).join(' · '),
          },
          { name: t('machine.dst'), value: dstRule },
          { name: t('machine.countersBegan'), value: time(countersBeganAt) },
          { name: t('machine.outages'), value: both(powerOutages) },
          { name: t('machine.reads'), value: count(reads?.reads ?? null) },
          { name: t('machine.resets'), value: count(reads?.resets ?? null) },
          { name: t('machine.thisRead'), value: time(reads?.thisAt ?? null) },
          { name: t('machine.lastRead'), value: time(reads?.lastAt ?? null) },
        ]}
      />
      <Rows
        caption={t('section.peripherals')}
        isNamed
        heads={[
          { name: t('head.device') },
          { name: t('head.serial') },
          { name: t('head.model') },
          { name: t('head.software') },
        ]}
        rows={peripherals.map((device) => [
          t(`peripheral.${device.kind}`),
          device.serial,
          device.model,
          device.software,
        ])}
      />
    </Section>
  )
}
