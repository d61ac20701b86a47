import { Button, NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ReportDefinition, type ReportSchedule, reports, type SavedReport } from '#contract/insight/report.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { ColleaguesField } from './ColleaguesField.tsx'
import classes from './Report.module.css'

interface Props {
  definition: ReportDefinition
  /** The saved report that changes; undefined for a new one. */
  saved: SavedReport | undefined
  close: () => void
  done: (report: SavedReport) => void
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))
const monthDays = Array.from({ length: 31 }, (_, at) => String(at + 1))
const intervals = ['none', 'day', 'week', 'month'] as const
type Interval = (typeof intervals)[number]

/** Monday to Sunday in the reader's language. */
export function useWeekdays() {
  const { locale } = useFormat()
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, at) => format.format(new Date(Date.UTC(2026, 10, 23 + at, 12))))
}

/** Saves a report under a name, with its sharing and its schedule. */
export function SaveReportDialog({ definition, saved, close, done }: Props) {
  const { t } = useTranslation(['report', 'ui'])
  const { id: merchantId, timeZone } = useMerchant()
  const weekdays = useWeekdays()
  const [name, setName] = useKeptState(`report ${saved?.id ?? ''}`, saved?.name ?? t(`type.${definition.type}`))
  const [isShared, setShared] = useState(saved?.isShared ?? false)
  const [every, setEvery] = useState<Interval>(saved?.schedule?.every ?? 'none')
  const [hour, setHour] = useState(saved?.schedule?.hour ?? 7)
  const [readerIds, setReaderIds] = useState<readonly string[]>(saved?.readerIds ?? [])
  const [day, setDay] = useState(saved?.schedule && 'day' in saved.schedule ? saved.schedule.day : 1)
  const isOwn = saved?.isMine ?? true
  const mayPlan = definition.preset !== null && isOwn
  const schedule: ReportSchedule | null =
    every === 'none' || !mayPlan
      ? null
      : every === 'day'
        ? { every, hour }
        : { every, hour, day: Math.min(day, every === 'week' ? 7 : 31) }
  const settle = { says: 'report:savedToast', onDone: (report: SavedReport) => done(report) }
  const create = useCommand(reports.createReport, settle)
  const update = useCommand(reports.updateReport, settle)
  const save = () => {
    const body = {
      ...definition,
      name,
      isShared,
      schedule: isOwn ? schedule : (saved?.schedule ?? null),
      readerIds: [...readerIds],
    }
    if (saved) update.mutate({ params: { merchantId, reportId: saved.id }, body: { ...body, version: saved.version } })
    else create.mutate({ params: { merchantId }, body })
  }
  return (
    <Dialog title={t('save')} onClose={close}>
      <form
        className={classes.dialog}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextInput
          label={t('field.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          required
          data-autofocus
        />
        <Switch
          label={t('field.isShared')}
          checked={isShared}
          disabled={!isOwn}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <SimpleGrid minColWidth={120} autoFlow="auto-fit" spacing="sm">
          <NativeSelect
            label={t('field.schedule')}
            data={intervals.map((one) => ({ value: one, label: t(`every.${one}`) }))}
            value={mayPlan ? every : 'none'}
            disabled={!mayPlan}
            onChange={(event) => setEvery(event.currentTarget.value as Interval)}
          />
          {mayPlan && every === 'week' && (
            <NativeSelect
              label={t('field.weekday')}
              data={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
              value={String(Math.min(day, 7))}
              onChange={(event) => setDay(Number(event.currentTarget.value))}
            />
          )}
          {mayPlan && every === 'month' && (
            <NativeSelect
              label={t('field.monthDay')}
              data={monthDays}
              value={String(day)}
              onChange={(event) => setDay(Number(event.currentTarget.value))}
            />
          )}
          {mayPlan && every !== 'none' && (
            <NativeSelect
              label={t('field.hour')}
              data={hours}
              value={String(hour)}
              onChange={(event) => setHour(Number(event.currentTarget.value))}
            />
          )}
        </SimpleGrid>
        {mayPlan && every !== 'none' && (
          <ColleaguesField
            merchantId={merchantId}
            label={t('readers.label')}
            description={t('readers.note')}
            value={readerIds}
            known={saved?.readers ?? []}
            change={setReaderIds}
          />
        )}
        <p className={classes.hint}>
          {definition.preset === null ? t('schedule.needsPreset') : t('schedule.zone', { zone: timeZone })}
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending} disabled={name.trim() === ''}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
