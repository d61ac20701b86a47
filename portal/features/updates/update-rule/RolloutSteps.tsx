import { useTranslation } from 'react-i18next'
import type { Rollout } from '#contract/updates/rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import classes from './UpdateRule.module.css'

/** What happens next, and when. */
export function RolloutSteps({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { direction, installWindow, healthMinutes, usualMinutes } = rollout
  return (
    <>
      <ol className={classes.steps}>
        {rollout.next.map(({ step, at, machines }) => (
          <li key={step} className={classes.step}>
            <strong>{t(`step.${step}`, { count: machines, number: format.number(machines) })}</strong>
            <span className={classes.fine}>
              {at ? (
                <When at={at} as="minute" timeZone={rollout.timeZone} />
              ) : (
                t(`stepWhen.${step === 'decide' && direction === 'back' ? 'decideBack' : step}`)
              )}
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.fine}>
        {installWindow ? t('window.said', installWindow) : t('window.anyTime')} ·{' '}
        {t('usualSaid', { number: format.number(usualMinutes) })} ·{' '}
        {t('healthSaid', { number: format.number(healthMinutes) })}
      </p>
    </>
  )
}
