import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitPlan } from '#contract/stock/visit.ts'
import { useLeave } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { newId } from '#portal/app/uuid.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { outbox } from '../outbox/outbox.ts'
import { sendSoon } from '../outbox/sendOutbox.ts'
import type { KeptVisit } from '../outbox/steps.ts'
import { CashBox } from './CashBox.tsx'
import { NoteCard } from './NoteCard.tsx'
import { SelectionRow } from './SelectionRow.tsx'
import { UntouchedDialog } from './UntouchedDialog.tsx'
import { useVisitInput } from './useVisitInput.ts'
import classes from './Visit.module.css'
import { excessIn, type Line, sentLines, unconfirmed } from './visitLines.ts'

interface Props {
  plan: VisitPlan
  /** The server's clock minus the phone's, in milliseconds. */
  clockOffset: number
  /** A visit that the server refused. */
  storedVisit: KeptVisit | undefined
}

/** The lines of a form, as they are sent, so that a refused one is found again. */
const placeIn = (lines: readonly Line[], index: number) => sentLines(lines)[index]?.selection

const asPlanned = (lines: readonly Line[]) =>
  lines.map((line) => (line.planned > 0 && !line.isDone ? { ...line, isDone: true } : line))

/** How many of the selections to load are done. */
function LoadProgress({ done, of }: { done: number; of: number }) {
  const { t } = useTranslation('visit')
  const format = useFormat()
  return (
    <Columns of="1fr auto" gap="snug" align="baseline" className={classes.progress}>
      <Box component="h2" fz="lg">
        {t('load', { count: of, number: format.number(of) })}
      </Box>
      <Text span c="dimmed">
        {t('doneOf', { done: format.number(done), all: format.number(of) })}
      </Text>
      <progress value={done} max={of} aria-label={t('progress')} />
    </Columns>
  )
}

/** Saves a visit on the phone and sends it; the server may refuse it. */
function useVisitSave({ plan, clockOffset, storedVisit }: Props, input: ReturnType<typeof useVisitInput>) {
  const { t } = useTranslation(['visit', 'errors'])
  const leave = useLeave()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  const [id] = useState(() => storedVisit?.id ?? newId())
  const [refused, setRefused] = useState(storedVisit?.refused ?? null)
  const [isSaving, setSaving] = useState(false)

  /** Keeps the visit on the phone first, so that it survives whatever happens to the connection. */
  const save = async (final: readonly Line[], isAgain: boolean) => {
    if (!me) return
    setSaving(true)
    const now = Date.now()
    // A visit that is corrected happened when it happened.
    const at = storedVisit?.body.at ?? new Date(now + clockOffset).toISOString()
    const body = input.bodyOf(final, { id, at, again: isAgain })
    const { merchantId, posId, posName } = plan
    try {
      await outbox.keep({
        kind: 'visit',
        id,
        merchantId,
        roundId: storedVisit ? storedVisit.roundId : (plan.stop?.roundId ?? null),
        posId,
        posName,
        userId: me.id,
        body,
        keptAt: now,
        refused: null,
      })
      await sendSoon(me.id)
      const left = await outbox.find(id)
      if (left?.refused) return answerRefusal(left.refused, final)
      if (left) toast.warning('visit:keptNow', { name: posName })
      await leave(
        plan.stop
          ? { to: '/devices/rounds/$roundId', params: { roundId: plan.stop.roundId } }
          : { to: '/devices/$posId', params: { posId } },
      )
    } catch (error) {
      // The browser keeps nothing, such as in a private window without room.
      toast.error(error instanceof Error && error.name === 'ApiError' ? error : 'visit:notKept')
    } finally {
      setSaving(false)
    }
  }

  const answerRefusal = (refusal: NonNullable<KeptVisit['refused']>, final: readonly Line[]) => {
    setRefused(refusal)
    input.showLines(final)
    if (refusal.code !== 'StopAlreadyVisited') return
    ask({
      title: t('visit:again.title'),
      consequence: t('visit:again.text', { name: String(refusal.facts.closedBy ?? t('visit:again.someone')) }),
      confirm: t('visit:again.confirm'),
      dismiss: { how: 'edit' },
      act: () => save(final, true),
    })
  }
  return { save, refused, isSaving, dialog }
}

/** The broken rule of each refused line, by its selection, and of each other refused field. */
function useRefusedFields(refused: KeptVisit['refused'], lines: readonly Line[]): ReadonlyMap<string, string> {
  const sentence = useRuleSentence()
  return new Map(
    Object.entries(refused?.fields ?? {}).map(([path, rule]) => {
      const index = Number(/^lines\.(\d+)\./.exec(path)?.[1] ?? -1)
      return [placeIn(lines, index) ?? path, sentence(rule)] as const
    }),
  )
}

/** Why the server refused the visit. */
function Refusal({ refused }: { refused: NonNullable<KeptVisit['refused']> }) {
  const { t } = useTranslation('errors')
  return (
    <Group
      component="p"
      gap="xs"
      mb="sm"
      py="xs"
      px="part"
      bdrs="inner"
      className={classes.kept}
      data-tone="crit"
      role="alert"
    >
      {t(`errors:${refused.code}`, refused.facts)}
    </Group>
  )
}

/** What happened at the machine: loads, waste, counts, the cash box, a note and a picture. */
export function VisitForm(props: Props) {
  const { plan, storedVisit } = props
  const { t } = useTranslation(['visit', 'errors'])
  const format = useFormat()
  const input = useVisitInput(plan, storedVisit)
  const { lines, isTouched } = input
  const { save, refused, isSaving, dialog } = useVisitSave(props, input)
  const faults = useRefusedFields(refused, lines)
  const [isAsking, setAsking] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const open = unconfirmed(lines)
  const toLoad = lines.filter(({ planned }) => planned > 0)

  const change = (selection: string, with_: Partial<Line>) =>
    input.changeLines((now) =>
      now.map((line) => (line.selection === selection ? { ...line, isDone: true, ...with_ } : line)),
    )
  const finish = (final: readonly Line[]) => {
    setAsking(false)
    if (!final.some(excessIn)) return void save(final, false)
    // The first line with an impossible number.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-fault] input')?.focus())
  }
  const finishLoaded = (loaded: ReadonlySet<string>) => {
    const final = lines.map((line) => (loaded.has(line.selection) ? { ...line, isDone: true } : line))
    input.changeLines(() => final)
    finish(final)
  }
  return (
    <Stack gap="part">
      <UnsavedGuard isDirty={isTouched && !isSaving} />
      {refused && <Refusal refused={refused} />}
      {toLoad.length > 0 && <LoadProgress done={toLoad.length - open.length} of={toLoad.length} />}
      {plan.countedBy === 'machine' && (
        <Text fz="sm" className={classes.fine}>
          {t('visit:machineCounts')}
        </Text>
      )}
      {lines.length === 0 ? (
        <Text fz="sm" className={classes.fine}>
          {t('visit:noSelections')}
        </Text>
      ) : (
        <Panel component="ul" className="clips" ref={list}>
          {lines.map((line) => (
            <SelectionRow
              key={line.selection}
              line={line}
              fault={faults.get(line.selection)}
              change={(with_) => change(line.selection, with_)}
            />
          ))}
        </Panel>
      )}
      {open.length > 0 && (
        <Button
          variant="default"
          size="lg"
          fullWidth
          leftSection={<IconChecks size={20} aria-hidden />}
          onClick={() => input.changeLines(asPlanned)}
        >
          {t('visit:asPlanned', { count: open.length, number: format.number(open.length) })}
        </Button>
      )}
      <CashBox plan={plan} value={input.cash} fault={faults.get('bagNumber')} change={input.changeCash} />
      <NoteCard
        note={input.note}
        picture={input.picture}
        changeNote={input.changeNote}
        changePicture={input.changePicture}
      />
      <div className={classes.footer}>
        <Button
          size="lg"
          fullWidth
          loading={isSaving}
          onClick={() => (open.length > 0 ? setAsking(true) : finish(lines))}
        >
          {t('visit:finish')}
        </Button>
        {plan.stop?.nextName && (
          <Text fz="sm" className={classes.fine}>
            {t('visit:next', { name: plan.stop.nextName })}
          </Text>
        )}
      </div>
      {isAsking && <UntouchedDialog lines={open} close={() => setAsking(false)} finish={finishLoaded} />}
      {dialog}
    </Stack>
  )
}
