import { Stack } from '@mantine/core'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { BadgesSection } from './BadgesSection.tsx'
import { BusySection } from './BusySection.tsx'
import { CardsSection } from './CardsSection.tsx'
import { ChartsSection } from './ChartsSection.tsx'
import { CurveSection } from './CurveSection.tsx'
import { DialogsSection } from './DialogsSection.tsx'
import { FactsSection } from './FactsSection.tsx'
import { FieldsSection } from './FieldsSection.tsx'
import { FormSection } from './FormSection.tsx'
import classes from './Kit.module.css'
import { ListSection } from './ListSection.tsx'
import { MapSection } from './MapSection.tsx'
import { MoneySection } from './MoneySection.tsx'
import { StatesSection } from './StatesSection.tsx'
import { TabsSection } from './TabsSection.tsx'
import { TimelineSection } from './TimelineSection.tsx'
import { TimeSection } from './TimeSection.tsx'
import { ToastsSection } from './ToastsSection.tsx'
import { WizardSection } from './WizardSection.tsx'

/** In the order of the page; each shows one part, or parts of one kind, in all states. */
const sections = {
  badges: BadgesSection,
  time: TimeSection,
  money: MoneySection,
  facts: FactsSection,
  cards: CardsSection,
  charts: ChartsSection,
  curve: CurveSection,
  map: MapSection,
  timeline: TimelineSection,
  fields: FieldsSection,
  form: FormSection,
  list: ListSection,
  tabs: TabsSection,
  wizard: WizardSection,
  dialogs: DialogsSection,
  toasts: ToastsSection,
  states: StatesSection,
  busy: BusySection,
} satisfies Record<string, ComponentType>

/** Every part of the portal in all its states. */
export default function KitScreen() {
  const { t } = useTranslation('kit')
  const names = Object.keys(sections) as (keyof typeof sections)[]
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={t('lead')} />
      <Columns of="190px minmax(0, 1fr)" from="sm" gap="far" align="start">
        <nav className={classes.contents} aria-label={t('contents')}>
          <ol>
            {names.map((name) => (
              <li key={name}>
                <a href={`#${name}`}>{t(`section.${name}`)}</a>
              </li>
            ))}
          </ol>
        </nav>
        <Stack gap="wide" className={classes.sections}>
          {names.map((name) => {
            const Section = sections[name]
            return (
              <div key={name} id={name} data-section={name}>
                <Card title={t(`section.${name}`)}>
                  <Section />
                </Card>
              </div>
            )
          })}
        </Stack>
      </Columns>
    </>
  )
}
