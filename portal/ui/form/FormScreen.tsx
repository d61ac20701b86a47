import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrokenRule } from '#contract/rules/broken.ts'
import { ApiError } from '../../app/apiError.ts'
import { useLivePause } from '../../app/live.ts'
import { sentenceOf } from '../ErrorState.tsx'
import classes from './FormScreen.module.css'
import { UnsavedGuard } from './UnsavedGuard.tsx'
import { useRuleSentence } from './useRuleSentence.ts'
import type { SchemaForm } from './useSchemaForm.ts'

interface Props<T extends Record<string, unknown>> {
  form: SchemaForm<T>
  /** Sends the values; what it throws is shown here, at the fields it names. Use a command with `isQuiet`. */
  save: (values: T) => Promise<unknown>
  /** What is being sent, from the command's `isPending`. */
  isSaving: boolean
  /** What the button says, "Save" by default. */
  saveName?: string
  cancel?: () => void
  /** The error of the last try, from the command's `error`. */
  error?: unknown
  children: ReactNode
}

/** What the server refuses stands at its field, in the reader's language. */
const setServerErrors = <T extends Record<string, unknown>>(
  form: SchemaForm<T>,
  error: unknown,
  say: (rule: BrokenRule) => string,
) => {
  if (!(error instanceof ApiError)) return
  const faults = Object.entries(error.fields).map(([path, rule]) => [path, say(rule)] as const)
  if (faults.length > 0) form.setErrors(Object.fromEntries(faults))
}

/** Fields, and a save that shows its progress: the first broken rule gets the focus, unsaved changes are guarded, live updates wait. */
export function FormScreen<T extends Record<string, unknown>>({
  form,
  save,
  isSaving,
  saveName,
  cancel,
  error,
  children,
}: Props<T>) {
  const { t } = useTranslation(['ui', 'errors', 'form'])
  const say = useRuleSentence()
  const element = useRef<HTMLFormElement>(null)
  const isDirty = form.isDirty()
  useLivePause(isDirty)

  const focusFirstError = () =>
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-error=true]')?.focus(),
    )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    if (form.validate().hasErrors) return focusFirstError()
    try {
      await save(form.getValues())
      form.resetDirty()
    } catch (failure) {
      setServerErrors(form, failure, say)
      focusFirstError()
    }
  }
  const hasErrors = Object.keys(form.errors).length > 0
  const isIncomplete = Object.values(form.errors).includes(t('form:rule.required'))
  return (
    <form ref={element} noValidate onSubmit={(event) => void submit(event)} className={classes.form}>
      <div className={classes.fields}>{children}</div>
      {(hasErrors || Boolean(error)) && (
        <p className={classes.problem} role="alert">
          {isIncomplete
            ? t('form:rule.allRequired')
            : hasErrors
              ? t('ui:form.problem')
              : sentenceOf((key, values) => t(key, values), error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={isSaving} disabled={!isDirty}>
          {saveName ?? t('ui:save')}
        </Button>
        {cancel && (
          <Button variant="default" onClick={cancel} disabled={isSaving}>
            {t('ui:cancel')}
          </Button>
        )}
      </div>
      <UnsavedGuard isDirty={isDirty && !isSaving} />
    </form>
  )
}
