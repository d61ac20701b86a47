import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LocalWindow } from '#contract/commands/remote-command.ts'
import { windowIn } from '#domain/commands/command-window.ts'
import { writeOffset } from '#domain/time/zoned-time.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import common from '../CommandText.module.css'

/** The window's length without a change of the clocks in it. */
const usualMs = ({ from, until }: LocalWindow) => {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const span = minutes(until) - minutes(from)
  return (span > 0 ? span : span + 24 * 60) * 60_000
}

/** A window in each zone by its own clock, and whether the clocks change during it. */
export function WindowByZone({ window, zones }: { window: LocalWindow; zones: readonly string[] }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  return (
    <Stack component="ul" gap="hair" mt="xs" fz="sm" aria-label={t('when.byZone')}>
      {zones.map((zone) => {
        const { notBefore, expiresAt } = windowIn(zone, window)
        const isChanged = expiresAt.getTime() - notBefore.getTime() !== usualMs(window)
        return (
          <li key={zone}>
            <span className={common.strong}>{zone}</span>{' '}
            <span>
              {format.instant(notBefore, 'minute', zone)} – {format.instant(expiresAt, 'minute', zone)}
            </span>{' '}
            <span className={common.fine}>{writeOffset(notBefore, zone)}</span>
            {isChanged && <span className={common.fine}> {t('when.clockChange')}</span>}
          </li>
        )
      })}
    </Stack>
  )
}
