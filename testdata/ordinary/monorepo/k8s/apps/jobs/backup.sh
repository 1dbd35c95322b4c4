#!/bin/sh
echo "${TARGET}"
