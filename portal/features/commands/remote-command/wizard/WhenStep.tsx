import { Flex, Input, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '#domain/time/period.ts'
import { readTime } from '#domain/time/zoned-time.ts'
import { useFormat, wireInstant } from '#portal/app/i18n/format.ts'
import { DayInput } from '#portal/ui/form/choices/DayInput.tsx'
import { MomentInput } from '#portal/ui/form/choices/InstantField.tsx'
import common from '../CommandText.module.css'
import { type Draft, expiryHours, mostDaysAhead, type Timing, type WhenFault } from './commandOrder.ts'
import step from './Step.module.css'
import classes from './WhenStep.module.css'
import { WindowByZone } from './WindowByZone.tsx'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  /** Time zones of the chosen machines, at least one. */
  zones: readonly string[]
  timing: Timing | WhenFault
}

/** Hours up to two days, then days. */
export function useWaitingTime() {
  const { t } = useTranslation('remote-command')
  return (hours: number) =>
    hours % 24 === 0 && hours > 24 ? t('days', { count: hours / 24 }) : t('hours', { count: hours })
}

const hour = 3_600_000
const tomorrow = 24 * hour
const ways = ['now', 'later', 'window'] as const

/**
 * The third step: now, at an instant, or in a window by each machine's own clock, and the waiting time for offline
 * machines.
 */
export function WhenStep({ draft, change, zones, timing }: Props) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const waitingTime = useWaitingTime()
  const [isTouched, setTouched] = useState(false)
  const [timeZone = 'UTC'] = zones
  const fault = typeof timing === 'string' ? timing : undefined
  const says = {
    past: t(draft.when === 'window' ? 'when.windowPast' : 'when.past'),
    tooLate: t('when.tooLate', { number: format.number(mostDaysAhead) }),
    unclear: t('when.unclear'),
  }
  const choose = (value: string) =>
    change({
      when: ways.find((way) => way === value) ?? 'now',
      at: draft.at || wireInstant(new Date(Math.ceil((Date.now() + hour) / hour) * hour)),
      day: draft.day ?? dayIn(new Date(Date.now() + tomorrow), timeZone),
    })
  return (
    <Stack gap="part">
      <Radio.Group value={draft.when} onChange={choose} label={t('when.intro')} classNames={{ label: common.intro }}>
        <SimpleGrid minColWidth="min(285px, 100%)" spacing="xs">
          {ways.map((value) => (
            <Radio
              key={value}
              value={value}
              classNames={{ root: step.card, body: step.cardBody, labelWrapper: step.checkLabel }}
              label={
                <Stack component="span" gap={0} align="flex-start" miw={0}>
                  <span className={common.strong}>{t(`when.${value}`)}</span>
                  <span className={common.fine}>{t(`when.${value}Text`)}</span>
                </Stack>
              }
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {draft.when === 'later' && (
        <MomentInput
          value={draft.at || null}
          set={(at) => change({ at: at ?? '' })}
          leave={() => setTouched(true)}
          timeZone={timeZone}
          input={{
            label: t('when.at'),
            description: zones.length > 1 ? t('when.zones', { zone: timeZone }) : undefined,
            required: true,
            withAsterisk: true,
            error: fault && (isTouched || draft.at !== '') ? says[fault] : undefined,
          }}
        />
      )}
      {draft.when === 'window' ? (
        <WindowFields draft={draft} change={change} zones={zones} timing={timing} error={fault && says[fault]} />
      ) : (
        <NativeSelect
          className={step.amount}
          label={t('when.expiry')}
          description={t('when.expiryText')}
          value={String(draft.expiry)}
          onChange={(event) => change({ expiry: Number(event.currentTarget.value) })}
          data={expiryHours.map((hours) => ({ value: String(hours), label: waitingTime(hours) }))}
        />
      )}
    </Stack>
  )
}

/** A day with two times, by the clock at each machine. */
function WindowFields({ draft, change, zones, timing, error }: Props & { error: string | undefined }) {
  const { t } = useTranslation('remote-command')
  const id = useId()
  const described = error ? { 'aria-describedby': `${id}-error` } : {}
  const time = (key: 'from' | 'until') => (
    <TextInput
      {...described}
      label={t(`when.${key}`)}
      flex="0 1 110px"
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder="__:__"
      withAsterisk
      required
      error={error !== undefined && readTime(draft[key]) === undefined}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
      onBlur={() => change({ [key]: readTime(draft[key]) ?? draft[key] })}
    />
  )
  return (
    <div>
      <Flex gap="sm" wrap="wrap" align="flex-start">
        <DayInput
          {...described}
          label={t('when.day')}
          withAsterisk
          required
          className={classes.day}
          value={draft.day}
          set={(day) => change({ day })}
          timeZone={zones[0] ?? 'UTC'}
        />
        {time('from')}
        {time('until')}
      </Flex>
      {error && (
        <Input.Error id={`${id}-error`} mt={6} role="alert">
          {error}
        </Input.Error>
      )}
      {typeof timing === 'object' && timing.kind === 'window' && <WindowByZone window={timing.window} zones={zones} />}
    </div>
  )
}
