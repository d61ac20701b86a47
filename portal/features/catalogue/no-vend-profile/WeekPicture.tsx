import { Box, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NoVendWindow } from '#contract/catalogue/no-vend-profile.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { weekdays } from '#portal/ui/time/clock.ts'
import classes from './NoVendProfile.module.css'
import { stretchText, weekOf } from './weekOf.ts'

const hours = [0, 6, 12, 18, 24]
const percent = (minute: number) => `${(minute / 1440) * 100}%`

/** A week, day by day, with the times that windows cover. */
export function WeekPicture({ windows }: { windows: readonly NoVendWindow[] }) {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const names = weekdays(format.locale)
  return (
    <Box component="figure" miw={0} aria-label={t('week.label')}>
      <Stack component="ol" gap={3}>
        {weekOf(windows).map((stretches, day) => {
          const name = names[day] ?? ''
          const times = stretches.map(stretchText).join(', ')
          return (
            <Columns key={name} component="li" of="44px minmax(0, 1fr)" gap="near" align="center">
              <Text span c="dimmed" fz="fine" aria-hidden>
                {name}
              </Text>
              <Text
                span
                pos="relative"
                h={20}
                bdrs="xs"
                bg="repeating-linear-gradient(to right, var(--line-strong) 0 1px, transparent 1px 25%), var(--sunken)"
                className="clips"
                title={times || undefined}
              >
                {stretches.map((stretch) => (
                  <span
                    key={stretch.from}
                    className={classes.stretch}
                    style={{ left: percent(stretch.from), width: percent(stretch.to - stretch.from) }}
                  />
                ))}
              </Text>
              <span className="unseen">{t('week.cell', { day: name, times: times || t('week.free') })}</span>
            </Columns>
          )
        })}
      </Stack>
      <Box pos="relative" h={18} ml={52} c="dimmed" fz={11.5} className={classes.hours} aria-hidden>
        {hours.map((hour) => (
          <span key={hour} style={{ left: percent(hour * 60) }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </Box>
      <Group component="figcaption" gap="snug" wrap="nowrap" mt="tight" ml={52} c="dimmed" fz="fine">
        <Text span w={12} h={12} bdrs={3} bg="var(--gold-fill)" aria-hidden />
        {t('week.legend')}
      </Group>
    </Box>
  )
}
