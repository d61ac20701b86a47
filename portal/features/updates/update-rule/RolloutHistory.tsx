import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Rollout } from '#contract/updates/rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'

/** Decisions of users and of the rollout itself, the latest first. */
export function RolloutHistory({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  return (
    <Stack component="ol" gap="xs">
      {rollout.history.map(({ id, at, act, by, note, cohort, halt, machines }) => (
        <Stack component="li" gap="hair" key={id}>
          <span>
            {halt && halt.cause !== 'user'
              ? t(`halted.${halt.cause}`, {
                  number: format.number(halt.count ?? 0),
                  size: format.number(halt.size ?? 0),
                  allowed: format.number(halt.allowed ?? 0),
                })
              : t(`act.${act}`, {
                  count: machines ?? 0,
                  number: format.number((cohort ?? 0) + 1),
                  machines: format.number(machines ?? 0),
                })}
            {note && <> – {note}</>}
          </span>
          <Text span c="faint" fz="xs">
            <When at={at} as="minute" timeZone={rollout.timeZone} /> · {by ?? 'Gettone'}
          </Text>
        </Stack>
      ))}
    </Stack>
  )
}
