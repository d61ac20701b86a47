import { Button, Flex, Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Rollout, RolloutCommand } from '#contract/updates/rollout.ts'
import type { RolloutState } from '#contract/updates/rollout-state.ts'
import { possibleCommands } from '#domain/updates/rollout-control.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { KeptTextarea } from '#portal/ui/form/KeptTextarea.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { kinds } from './kinds.ts'
import { rolloutLooks } from './rolloutLooks.ts'
import classes from './UpdateRule.module.css'

const dangers: readonly RolloutCommand[] = ['halt', 'back', 'end']
const primary: readonly RolloutCommand[] = ['start', 'resume']

/** The words of states that differ on the way back. */
const backStates: Partial<Record<RolloutState, string>> = { running: 'back', halted: 'backHalted', ended: 'returned' }

/** Asks for a command to a rollout, with a note, and sends it. */
function useRolloutCommand(rollout: Rollout) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { control: row, param }: { control: AnyEndpoint; param: string } = kinds[rollout.kind]
  const control = useCommand(row, { isQuiet: true })
  const { ask, dialog } = useConfirm()
  const note = useRef<HTMLTextAreaElement>(null)
  const { counts, members, canGoBack } = rollout
  const bad = counts.failed + counts.silent + counts.alarmed
  const many = {
    start: members,
    pause: counts.sent,
    resume: counts.waiting,
    halt: counts.sent,
    retry: bad + counts.accepted + counts.held,
    back: canGoBack,
    end: counts.waiting,
  } satisfies Record<RolloutCommand, number>
  const askFor = (command: RolloutCommand) => {
    const count = {
      count: many[command],
      number: format.number(many[command]),
      release: rollout.release,
      bad: format.number(bad),
    }
    ask({
      title: t(`command.${command}.title`, count),
      consequence: t(`command.${command}.consequence`, count),
      confirm: t(`command.${command}.do`, count),
      dismiss: { how: 'leave' },
      isDanger: dangers.includes(command),
      children: (
        <KeptTextarea
          name={`note ${rollout.id}`}
          ref={note}
          label={t('command.note')}
          maxLength={500}
          autosize
          minRows={2}
        />
      ),
      act: async () => {
        const text = note.current?.value.trim()
        const body = { command, ...(text && { note: text }) }
        const params = { merchantId: rollout.merchantId, [param]: rollout.id }
        try {
          await control.mutateAsync({ params, body })
        } catch (error) {
          toast.error(error)
          throw error
        }
        toast.success('update-rule:command.done', { name: rollout.name })
      },
    })
  }
  return { many, askFor, dialog }
}

/** The state in words; of a halted rollout with its cause. */
function useStateText({ counts, halt, members, state, direction, backTo, release }: Rollout): string {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const isBack = direction === 'back'
  const text = t(`state.${(isBack && backStates[state]) || state}`, {
    release: isBack ? backTo.join(', ') || t('state.versionBefore') : release,
    done: format.number(counts.confirmed),
    number: format.number(members),
  })
  if (state !== 'halted' || !halt) return text
  const why = t(`halted.${halt.cause}`, {
    number: format.number(halt.count ?? 0),
    size: format.number(halt.size ?? 0),
    allowed: format.number(halt.allowed ?? 0),
  })
  return isBack ? `${text} ${why}` : why
}

/** The state in words, with its reason, and what users may do. */
export function RolloutBanner({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const mayControl = useMay(kinds[rollout.kind].control) && rollout.mayAct
  const { many, askFor, dialog } = useRolloutCommand(rollout)
  const text = useStateText(rollout)
  const { counts, state } = rollout
  return (
    <section
      className={classes.banner}
      data-tone={state === 'halted' ? 'crit' : undefined}
      aria-label={t('card.state')}
    >
      <StatusBadge of={rolloutLooks} value={state} />
      <Text className={`${classes.said} ${classes.facts}`}>
        <strong>{text}</strong>{' '}
        {rollout.haltedAt && <When at={rollout.haltedAt} as="minute" timeZone={rollout.timeZone} />}
        {!rollout.haltedAt && rollout.startedAt && (
          <>
            {t('startedBy', { name: rollout.startedBy ?? '–' })}{' '}
            <When at={rollout.startedAt} as="minute" timeZone={rollout.timeZone} />
          </>
        )}
      </Text>
      {mayControl && (
        <Flex gap="near" wrap="wrap" className={classes.buttons}>
          {possibleCommands(rollout, counts).map((command) => (
            <Button
              key={command}
              variant={primary.includes(command) ? 'filled' : 'default'}
              onClick={() => askFor(command)}
            >
              {t(`command.${command}.do`, { count: many[command], number: format.number(many[command]) })}
            </Button>
          ))}
        </Flex>
      )}
      {!mayControl && !rollout.mayAct && (
        <Text span c="faint" fz="xs">
          {t('readOnly')}
        </Text>
      )}
      {dialog}
    </section>
  )
}
