import { Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ScreenFile,
  type ScreenFileKind,
  screenFiles,
  screenRuleOf,
} from '#contract/configurations/screen-file.ts'
import { fileFault } from '#contract/frame/file-rules.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { acceptedBy, FilePick } from '#portal/ui/form/fields/FileBox.tsx'
import { chosenFile } from '#portal/ui/form/fields/FileField.tsx'
import { useRuleSentence, writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { sentenceOf } from '../../../app/apiError.ts'
import classes from './Screen.module.css'
import { uploadScreenFile } from './uploadScreenFile.ts'
import { useScreenFile } from './useScreenFile.ts'

interface Props {
  merchantId: string
  kind: ScreenFileKind
  choose: (file: ScreenFile) => void
  close: () => void
}

/** Chooses an uploaded picture or video, or uploads one. */
export function FileChoice({ merchantId, kind, choose, close }: Props) {
  const { t } = useTranslation(['screen-configuration', 'errors', 'form'])
  const format = useFormat()
  const say = useRuleSentence()
  const client = useQueryClient()
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const { data = [] } = useQuery(queryOf(screenFiles.listScreenFiles, { params: { merchantId } }))
  const rule = screenRuleOf(kind)
  const take = async (file: File) => {
    const brokenRule = fileFault(rule, await chosenFile(file))
    setFault(brokenRule && say(brokenRule))
    if (brokenRule) return
    setShare(0)
    try {
      const made = await uploadScreenFile(merchantId, file, kind, setShare)
      await client.invalidateQueries()
      choose(made)
      close()
    } catch (error) {
      setFault(sentenceOf((key, values) => t(key, values), error))
    } finally {
      setShare(undefined)
    }
  }
  const filesOfKind = data.filter((file) => file.kind === kind)
  return (
    <Dialog onClose={close} title={t(`screen-configuration:file.${kind}`)} size="lg">
      <Stack gap="md">
        <div>
          <FilePick
            accept={acceptedBy(rule)}
            kind={kind}
            take={(file) => void take(file)}
            loading={share !== undefined}
          >
            {t('screen-configuration:file.upload')}
          </FilePick>
          <Text c="dimmed" fz="fine">
            {t(`screen-configuration:file.rule.${kind}`, { size: writeBytes(rule.maxBytes, format.number) })}
          </Text>
          {share !== undefined && (
            <Progress value={share * 100} aria-label={t('screen-configuration:file.uploading')} />
          )}
          {fault && (
            <Text c="crit" fz="fine" role="alert">
              {fault}
            </Text>
          )}
        </div>
        {filesOfKind.length === 0 ? (
          <Text c="dimmed" fz="fine">
            {t('screen-configuration:file.none')}
          </Text>
        ) : (
          <SimpleGrid component="ul" minColWidth={130} spacing="xs">
            {filesOfKind.map((file) => (
              <li key={file.id}>
                <button
                  type="button"
                  className={classes.tile}
                  onClick={() => {
                    choose(file)
                    close()
                  }}
                >
                  <FileThumb merchantId={merchantId} file={file} />
                  <span>{file.name}</span>
                </button>
              </li>
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Dialog>
  )
}

/** A small picture of a file; a video shows an icon. */
export function FileThumb({ merchantId, file }: { merchantId: string; file: Pick<ScreenFile, 'id' | 'kind'> }) {
  const url = useScreenFile(merchantId, file.kind === 'picture' ? file.id : null)
  return (
    <span className={classes.thumb}>
      {file.kind === 'video' ? <IconVideo size={24} aria-hidden /> : url && <img src={url} alt="" />}
    </span>
  )
}
