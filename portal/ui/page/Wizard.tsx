import { Box, Button, Flex, Stack, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { Panel } from '../part/Panel.tsx'
import classes from './Wizard.module.css'

export interface WizardStep {
  key: string
  name: string
  /** Whether the next step may be taken. */
  isComplete: boolean
  content: ReactNode
}

interface Props {
  steps: readonly WizardStep[]
  /** The action and label of the last step's button. */
  finish: () => void
  finishName: string
  isFinishing?: boolean
  isDanger?: boolean
}

/** The step of an address, limited by the completed steps before it. */
export function stepOf(
  addressStep: string | undefined,
  steps: readonly Pick<WizardStep, 'key' | 'isComplete'>[],
): number {
  const index = Math.max(
    0,
    steps.findIndex(({ key }) => key === addressStep),
  )
  const reachable = steps.findIndex(({ isComplete }) => !isComplete)
  return reachable === -1 ? index : Math.min(index, reachable)
}

/** A field that takes plain text: Enter in it finishes the step. Fields with a list of choices or results use it themselves. */
const isTyped = (target: EventTarget) =>
  target instanceof HTMLInputElement && target.type === 'text' && !target.ariaHasPopup

/** Steps in a row; the address names the step, so that the browser's Back is the wizard's. */
export function Wizard({ steps, finish, finishName, isFinishing = false, isDanger = false }: Props) {
  const { t } = useTranslation('form')
  const go = useGo()
  const search = useAddressQuery()
  const addressStep = oneOf(search, 'step')
  const at = stepOf(addressStep, steps)
  const step = steps[at] as WizardStep
  const goTo = (index: number, replace = false) => void go({ here: { step: steps[index]?.key } }, { replace })
  // A step that is not available yet is removed from the address too; else the wizard would jump there once it is.
  const isAhead = addressStep !== undefined && addressStep !== step.key
  // oxlint-disable-next-line react/exhaustive-deps -- once per address that is ahead
  useEffect(() => (isAhead ? goTo(at, true) : undefined), [isAhead])
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(at)
  useEffect(() => {
    if (last.current !== at) heading.current?.focus()
    last.current = at
  }, [at])
  const isLast = at === steps.length - 1
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented || isLast || !step.isComplete || !isTyped(event.target)) return
    event.preventDefault()
    goTo(at + 1)
  }
  return (
    <Box maw={980}>
      <Flex
        component="ol"
        rowGap="tight"
        columnGap="snug"
        wrap="wrap"
        mb="md"
        ml="-snug"
        aria-label={t('wizard.steps')}
      >
        {steps.map(({ key, name }, index) => (
          <li
            key={key}
            className={classes.step}
            aria-current={index === at ? 'step' : undefined}
            data-done={index < at}
          >
            <button type="button" disabled={index > at} onClick={() => goTo(index)}>
              <Stack
                component="span"
                gap={0}
                align="center"
                justify="center"
                w={22}
                h={22}
                fz="xs"
                fw={600}
                className={classes.number}
              >
                {index < at ? <IconCheck size={13} aria-hidden /> : index + 1}
              </Stack>
              {name}
            </button>
          </li>
        ))}
      </Flex>
      <Panel component="section" pt="md" pb="lg" px="wide" onKeyDown={onEnter}>
        <Title ref={heading} tabIndex={-1} order={2} mb="sm" fz="lead" fw={650} lh="inherit" className={classes.title}>
          <span className="unseen">{t('wizard.step', { step: at + 1, total: steps.length })}: </span>
          {step.name}
        </Title>
        {step.content}
      </Panel>
      <div className={classes.buttons}>
        {at > 0 && (
          <Button variant="default" disabled={isFinishing} onClick={() => goTo(at - 1)}>
            {t('wizard.back')}
          </Button>
        )}
        {isLast ? (
          <Button
            color={isDanger ? 'crit' : undefined}
            loading={isFinishing}
            disabled={steps.some(({ isComplete }) => !isComplete)}
            onClick={finish}
          >
            {finishName}
          </Button>
        ) : (
          <Button disabled={!step.isComplete} onClick={() => goTo(at + 1)}>
            {t('wizard.next')}
          </Button>
        )}
      </div>
    </Box>
  )
}
