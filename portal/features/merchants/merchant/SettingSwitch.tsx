import { Switch } from '@mantine/core'
import type { ComponentProps } from 'react'
import classes from './MerchantSetting.module.css'

/** A switch with its explanation. */
export const SettingSwitch = ({
  name,
  text,
  ...input
}: { name: string; text: string } & ComponentProps<typeof Switch>) => (
  <Switch
    {...input}
    py="xs"
    px={0}
    classNames={{ body: classes.body, labelWrapper: classes.words, description: classes.text, track: classes.track }}
    labelPosition="left"
    label={name}
    description={text}
  />
)
