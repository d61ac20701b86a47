import {
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { ActionIcon, Box, Button, Group, Input, Stack, Text, Title } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#contract/configurations/vp-document.ts'
import { vpValueAt } from '#domain/configurations/vp-document.ts'
import { defaultOf, nodeOf, type VpNode } from '#domain/configurations/vp-schema.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { type Step, stepsOf, ticksOf, totalsOf, withStart } from './recipe.ts'
import classes from './Steps.module.css'
import { useVpWords } from './useVpWords.ts'
import type { VpForm } from './vpForm.ts'

/** A keyboard moves a step by half a second. */
const keyStepSeconds = 0.5
const laneHeight = 36

interface Props {
  form: VpForm
  path: string
  node: VpNode
  /** The fields of the step at a path. */
  fields: (path: string) => ReactNode
}

/**
 * The steps of a recipe as a timeline: a bar starts and lasts as its step does. Bars are dragged along the time, with the pointer or
 * with the arrow keys; the fields of the chosen step are below.
 */
export function StepsField({ form, path, node, fields }: Props) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const format = useFormat()
  const [stepChoice, choose] = useState(0)
  const value = vpValueAt(form.document, path)
  const raw = Array.isArray(value) ? value : []
  const steps = stepsOf(raw)
  const totals = totalsOf(steps)
  const add = () => {
    const fresh = { ...(defaultOf(form.schema, node.items ?? {}) as JsonObject), start: totals.seconds }
    form.set(path, [...raw, fresh])
    choose(raw.length)
  }
  const currentStep = Math.min(stepChoice, raw.length - 1)
  const nameOf = (index: number) => {
    const step = steps[index]
    return step ? `${index + 1} ${words.choice('kind', step.kind)}` : ''
  }
  return (
    <Stack component="section" gap="xs" miw={0} aria-label={words.label('steps')}>
      <Group component="header" gap="near" justify="space-between">
        <span>
          {t('steps.total', {
            seconds: secondsText(format, totals.seconds),
            volume: format.number(totals.millilitres, { maximumFractionDigits: 0 }),
          })}
        </span>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={form.isFixed || raw.length >= (node.maxItems ?? 100)}
          onClick={add}
        >
          {t('steps.add')}
        </Button>
      </Group>
      {form.errors.get(path) && <Input.Error>{form.errors.get(path)}</Input.Error>}
      <Timeline {...{ form, path, node, steps, nameOf, currentStep, choose }} />
      {raw[currentStep] !== undefined && (
        <Panel p="part" radius="inner" bg="transparent">
          <Stack gap="sm">
            <Group component="header" gap="near" justify="space-between">
              <Title order={3} fz="md" fw={600} lh="inherit">
                {t('steps.step', { step: nameOf(currentStep) })}
              </Title>
              <ActionIcon
                variant="subtle"
                aria-label={t('editor.remove', { number: currentStep + 1 })}
                disabled={form.isFixed || raw.length <= (node.minItems ?? 0)}
                onClick={() => form.set(path, raw.toSpliced(currentStep, 1))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
            {fields(`${path}.${currentStep}`)}
          </Stack>
        </Panel>
      )}
    </Stack>
  )
}

const secondsText = (format: ReturnType<typeof useFormat>, amount: number) =>
  `${format.number(amount, { maximumFractionDigits: 1 })} s`

interface TimelineProps extends Omit<Props, 'fields'> {
  steps: readonly Step[]
  nameOf: (index: number) => string
  currentStep: number
  choose: (index: number) => void
}

/** The steps as bars along the time. */
function Timeline({ form, path, node, steps, nameOf, currentStep, choose }: TimelineProps) {
  const { t } = useTranslation('vp-configuration')
  const words = useVpWords()
  const format = useFormat()
  const { ref, width } = useElementSize()
  const span = Math.max(10, Math.ceil(totalsOf(steps).seconds / 5) * 5)
  const perSecond = width > 0 ? width / span : 1
  const bounds = nodeOf(form.schema, node.items ?? {}).properties?.start
  const sensors = useStepSensors(perSecond)
  const seconds = (amount: number) => secondsText(format, amount)
  const startAfter = (index: number, delta: number) =>
    withStart(steps[index]?.start ?? 0, delta / perSecond, bounds?.minimum ?? 0, bounds?.maximum ?? 90)
  const drop = ({ active, delta }: DragEndEvent) => {
    const index = Number(active.id)
    if (delta.x !== 0) form.set(`${path}.${index}.start`, startAfter(index, delta.x))
  }
  const at = (index: string | number) => t('steps.at', { step: nameOf(Number(index)) })
  return (
    <div className={classes.chart}>
      <div className={`${classes.names} wide-only`} aria-hidden>
        <span className={classes.corner} />
        {steps.map((step, index) => (
          <span key={index} className={classes.name} style={{ height: laneHeight }}>
            {words.choice('kind', step.kind)}
          </span>
        ))}
      </div>
      <Box ref={ref} pos="relative" miw={0} className="clips">
        <Box pos="relative" c="faint" fz="xs" className={classes.scale} aria-hidden>
          {ticksOf(span).map((tick) => (
            <span key={tick} style={{ left: `${(tick / span) * 100}%` }}>
              {format.number(tick)}
            </span>
          ))}
        </Box>
        <DndContext
          sensors={sensors}
          onDragEnd={drop}
          onDragStart={({ active }) => choose(Number(active.id))}
          accessibility={{
            screenReaderInstructions: { draggable: t('steps.howTo') },
            announcements: {
              onDragStart: ({ active }) => at(active.id),
              onDragMove: () => undefined,
              onDragOver: () => undefined,
              onDragEnd: ({ active }) => at(active.id),
              onDragCancel: ({ active }) => at(active.id),
            },
          }}
        >
          {steps.map((step, index) => (
            <div key={index} className={classes.lane} style={{ height: laneHeight }}>
              <Bar
                index={index}
                step={step}
                span={span}
                label={`${nameOf(index)}, ${seconds(step.start)} – ${seconds(step.start + step.seconds)}`}
                text={words.write('amount', undefined, step.amount === 0 ? undefined : step.amount, step.kind)}
                under={seconds(step.seconds)}
                isChosen={index === currentStep}
                isBroken={[...form.errors.keys()].some((one) => one.startsWith(`${path}.${index}.`))}
                isFixed={form.isFixed}
                choose={() => choose(index)}
                startAt={(delta) => seconds(startAfter(index, delta))}
              />
            </div>
          ))}
        </DndContext>
      </Box>
    </div>
  )
}

/** Moves bars with the pointer, or with the arrow keys by half a second. */
function useStepSensors(perSecond: number) {
  const keyboard = useSensor(KeyboardSensor, {
    coordinateGetter: ({ code }, { currentCoordinates: { x, y } }) => {
      const direction = { ArrowRight: 1, ArrowLeft: -1 }[code]
      return direction ? { x: x + direction * keyStepSeconds * perSecond, y } : undefined
    },
  })
  return useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), keyboard)
}

interface BarProps {
  index: number
  step: Step
  span: number
  label: string
  text: string
  under: string
  isChosen: boolean
  isBroken: boolean
  isFixed: boolean
  choose: () => void
  startAt: (delta: number) => string
}

function Bar({ index, step, span, label, text, under, isChosen, isBroken, isFixed, choose, startAt }: BarProps) {
  const { attributes, listeners, setNodeRef, transform, isDragging } = useDraggable({ id: index, disabled: isFixed })
  const left = (Math.min(step.start, span) / span) * 100
  const width = Math.max(1, (Math.min(step.seconds, span - step.start) / span) * 100)
  return (
    <button
      type="button"
      ref={setNodeRef}
      {...attributes}
      {...listeners}
      aria-label={label}
      aria-pressed={isChosen}
      className={classes.bar}
      data-kind={step.kind}
      data-chosen={isChosen}
      data-broken={isBroken}
      data-dragging={isDragging}
      style={{ left: `${left}%`, width: `${width}%`, ...(transform && { transform: `translateX(${transform.x}px)` }) }}
      onClick={choose}
    >
      <Text span fw={600}>
        {isDragging && transform ? startAt(transform.x) : text}
      </Text>
      <Text span c="dimmed">
        {under}
      </Text>
    </button>
  )
}
