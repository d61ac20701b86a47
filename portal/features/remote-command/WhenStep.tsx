import { NativeSelect, Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat, wireInstant } from '../../app/i18n/format.ts'
import { MomentInput } from '../../ui/form/fields/InstantField.tsx'
import { type Draft, expiryHours, mostDaysAhead, type WhenFault } from './commandOrder.ts'
import classes from './RemoteCommand.module.css'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  timeZone: string
  /** The chosen machines stand in several zones. */
  hasZones: boolean
  fault: WhenFault | undefined
}

/** Hours up to two days, then days. */
export function useWaitingTime() {
  const { t } = useTranslation('remote-command')
  return (hours: number) =>
    hours % 24 === 0 && hours > 24 ? t('days', { count: hours / 24 }) : t('hours', { count: hours })
}

const hour = 3_600_000

/** The third step: now or later, and how long the command waits for a machine. */
export function WhenStep({ draft, change, timeZone, hasZones, fault }: Props) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const waitingTime = useWaitingTime()
  const [isTouched, setTouched] = useState(false)
  const says = fault === 'tooLate' ? t('when.tooLate', { number: format.number(mostDaysAhead) }) : t('when.past')
  const choose = (value: string) =>
    change({
      isLater: value === 'later',
      at: draft.at || wireInstant(new Date(Math.ceil((Date.now() + hour) / hour) * hour)),
    })
  return (
    <div className={classes.step}>
      <Radio.Group
        value={draft.isLater ? 'later' : 'now'}
        onChange={choose}
        label={t('when.intro')}
        classNames={{ label: classes.intro }}
      >
        <div className={classes.cards}>
          {(['now', 'later'] as const).map((value) => (
            <Radio
              key={value}
              value={value}
              classNames={{ root: classes.card, body: classes.cardBody, labelWrapper: classes.checkLabel }}
              label={
                <span className={classes.two}>
                  <span className={classes.strong}>{t(`when.${value}`)}</span>
                  <span className={classes.fine}>{t(`when.${value}Text`)}</span>
                </span>
              }
            />
          ))}
        </div>
      </Radio.Group>
      {draft.isLater && (
        <MomentInput
          value={draft.at || null}
          set={(at) => change({ at: at ?? '' })}
          leave={() => setTouched(true)}
          timeZone={timeZone}
          input={{
            label: t('when.at'),
            description: hasZones ? t('when.zones', { zone: timeZone }) : undefined,
            required: true,
            withAsterisk: true,
            error: fault && (isTouched || draft.at !== '') ? says : undefined,
          }}
        />
      )}
      <NativeSelect
        className={classes.amount}
        label={t('when.expiry')}
        description={t('when.expiryText')}
        value={String(draft.expiry)}
        onChange={(event) => change({ expiry: Number(event.currentTarget.value) })}
        data={expiryHours.map((hours) => ({ value: String(hours), label: waitingTime(hours) }))}
      />
    </div>
  )
}
