import { Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type PasswordRule, passwordRules, passwordStrength } from '#contract/rules/password.ts'
import { passwordSentences } from '#contract/rules/text.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import classes from './Fields.module.css'
import { type FieldInput, type FieldProps, useField } from './useField.tsx'

const strengths = [undefined, 'weak', 'fair', 'good', 'strong'] as const
const tones = { weak: 'crit', fair: 'warn', good: 'ok', strong: 'ok' } as const

interface Props<T extends Record<string, unknown>> extends FieldProps<T> {
  /** The field that repeats it. */
  repeatName?: FieldProps<T>['name']
}

/** A new password: its rules are ticked off during typing; a second field repeats it if the form requires that. */
export function PasswordField<T extends Record<string, unknown>>(props: Props<T>) {
  const { value, set, leave, input } = useField<string, T>({ ...props, isSecret: true })
  const needsId = useId()
  return (
    <div>
      <PlainPassword input={input} value={value} set={set} leave={leave} describedBy={needsId} />
      <Needs id={needsId} text={value} />
      {props.repeatName && <RepeatedPassword {...props} name={props.repeatName} />}
    </div>
  )
}

function RepeatedPassword<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('form')
  const { value, set, leave, input } = useField<string, T>({
    ...props,
    label: t('field.password.repeat'),
    isSecret: true,
  })
  return (
    <div style={{ marginTop: 12 }}>
      <PlainPassword input={{ ...input, description: undefined }} value={value} set={set} leave={leave} />
    </div>
  )
}

interface HiddenProps {
  input: FieldInput
  value: string
  set: (value: string) => void
  leave: () => void
  describedBy?: string
}

function PlainPassword({ input, value, set, leave, describedBy }: HiddenProps) {
  const { t } = useTranslation('form')
  return (
    <PasswordInput
      {...input}
      autoComplete="new-password"
      maxLength={300}
      aria-details={describedBy}
      visibilityToggleButtonProps={{ 'aria-label': t('field.password.show'), tabIndex: 0 }}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      onBlur={leave}
    />
  )
}

function Needs({ id, text }: { id: string; text: string }) {
  const { t } = useTranslation('form')
  const strength = passwordStrength(text)
  const name = strengths[strength]
  return (
    <div id={id}>
      <Stack component="ul" gap="hair" mt="snug" fz="fine" lh="sm" aria-label={t('field.password.needs')}>
        {(Object.keys(passwordRules) as PasswordRule[]).map((rule) => {
          const isMet = passwordRules[rule](text)
          const Icon = isMet ? IconCheck : IconMinus
          return (
            <Group key={rule} component="li" gap="snug" wrap="nowrap" className={classes.need} data-met={isMet}>
              <Icon size={14} aria-hidden />
              {t(`rule.${passwordSentences[rule]}`)}
              <span className="unseen">{t(isMet ? 'field.password.met' : 'field.password.missing')}</span>
            </Group>
          )
        })}
      </Stack>
      {name && (
        <Columns of="1fr auto" gap="near" align="center" mt="snug" c="dimmed" fz="fine" role="status">
          <SimpleGrid component="span" cols={4} spacing="tight" aria-hidden>
            {strengths.slice(1).map((each, index) => (
              <span key={each} className={classes.bar} data-tone={index < strength ? tones[name] : undefined} />
            ))}
          </SimpleGrid>
          <span>
            <span className="unseen">{t('field.password.strength')}: </span>
            {t(`field.password.${name}`)}
          </span>
        </Columns>
      )}
    </div>
  )
}
