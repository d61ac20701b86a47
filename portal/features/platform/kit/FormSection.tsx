import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { rules } from '#contract/rules/rules.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import type { RecordVersion } from '#portal/ui/form/useEditing.ts'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Segments } from '#portal/ui/value/Segments.tsx'

const answers = ['saved', 'slow', 'refused', 'joined', 'conflict', 'lost'] as const
type Answer = (typeof answers)[number]

const schema = z.strictObject({ name: rules.requiredText(40), note: rules.requiredText(200) })
type Values = z.infer<typeof schema>

const record: RecordVersion<Values> = { version: 1, values: { name: 'Vitro 01', note: 'First floor' } }
/** A simultaneous change by another user. */
const otherEdits = {
  joined: { name: 'Vitro 01', note: 'Second floor' },
  conflict: { name: 'Vitro 1', note: 'Second floor' },
} as const satisfies Partial<Record<Answer, Values>>

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** The server's answer to a save. */
async function answered(answer: Answer, { version, values }: RecordVersion<Values>): Promise<RecordVersion<Values>> {
  await wait(answer === 'slow' ? 4_000 : 100)
  if (answer === 'lost') throw new ApiError('Unreachable')
  if (answer === 'refused') throw new ApiError('PosNameTaken', 409)
  if ((answer === 'joined' || answer === 'conflict') && version === record.version) {
    const facts = {
      current: { version: version + 1, values: otherEdits[answer] },
      changedBy: 'Anna Bianchi',
      changedAt: '2026-11-21T08:00:00.000',
    }
    throw new ApiError('EditConflict', 409, { facts })
  }
  return { version: version + 1, values }
}

/** A form with its save; the result is chosen beforehand. */
export function FormSection() {
  const { t } = useTranslation('kit')
  const [answer, setAnswer] = useState<Answer>('saved')
  return (
    <>
      <Segments
        name={t('form.answer')}
        value={answer}
        choose={setAnswer}
        options={answers.map((value) => ({ value, label: t(`form.answers.${value}`) }))}
      />
      <Stack gap="md" maw={640} mt="md" mb="far">
        <Form key={answer} answer={answer} />
      </Stack>
    </>
  )
}

function Form({ answer }: { answer: Answer }) {
  const { t } = useTranslation('kit')
  const form = useSchemaForm<Values>(schema, record.values)
  const update = useMutation({ mutationFn: (edited: RecordVersion<Values>) => answered(answer, edited) })
  const names = { name: t('list.name'), note: t('dialog.note') }
  return (
    <FormScreen
      form={form}
      record={{ ...record, names, read: (saved) => saved as RecordVersion<Values> }}
      save={(values, version) => update.mutateAsync({ values, version })}
      codes={{ PosNameTaken: 'name' }}
      isSaving={update.isPending}
      error={update.error}
      cancel={form.reset}
    >
      <TextField form={form} name="name" label={names.name} maxLength={40} isRequired />
      <TextField form={form} name="note" label={names.note} maxLength={200} isRequired />
    </FormScreen>
  )
}
